// Package demo plays three stories, each first without Opledger and then through a real server.
//
// Payments is the double charge: an agent's tool call commits at the provider, its answer is lost, and the agent calls
// again; through Opledger with a crash and a second channel on top. Control is what a model should not decide alone: two
// runs give one customer two remedies, and a refund above a threshold waits for two people while the model looks for a
// way round them. Plan is what is left when a task stops in the middle: its run dies, its last step fails for good, and
// what it did has to be undone, by whom nobody has to remember anything.
//
// Effects are counted at the provider, never by the one who plays. The server, and the agents that get killed, are
// processes of their own, started from the same binary, so that killing one is a real death. No model is called: the loop
// does what agent loops do with an error, and the model's words are a script.
package demo
