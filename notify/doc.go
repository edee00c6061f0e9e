// Package notify tells chats and pagers, by signed webhooks, of what happened: above all of what waits for a person.
//
// What is to be told is a notice, a record that is stored in the transaction that makes it true. Any number of servers
// claim notices that are due, send them to the subscriptions that want them, and hand what came of it to the ledger as one
// command. A claim is a hint, and nothing is recorded before it was sent: a server that dies in between makes the next one
// send the same delivery again, under the same id, by which a receiver that has it already knows it.
//
// deliverer.go puts it on the loop (package outbox) and round.go says what a look at due notices comes to; receivers.go keeps a slow receiver from
// holding up the others. post.go sends one delivery, address.go says which addresses are refused, sign.go has the
// signature and secret.go where its key is found. terms.go is what a subscription says, message.go what is sent.
package notify
