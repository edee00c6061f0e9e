// Package demo plays two stories, each first without Opledger and then through a real server.
//
// Payments is the double charge: an agent's tool call commits at the provider, its answer is lost, and the agent calls
// again; through Opledger with a crash and a second channel on top. Control is what a model should not decide alone: two
// runs give one customer two remedies, and a refund above a threshold waits for two people while the model looks for a
// way round them.
//
// Effects are counted at the provider, never by the one who plays. The server, and the agents that get killed, are
// processes of their own, started from the same binary, so that killing one is a real death. No model is called: the loop
// does what agent loops do with an error, and the model's words are a script.
package demo
