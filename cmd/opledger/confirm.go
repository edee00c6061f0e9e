package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// confirmation is a decision that a person makes after having seen what it is about. What is seen and asked goes to the
// standard error, so that the standard output is the answer alone.
type confirmation struct{ yes bool }

func addConfirmation(cmd *cobra.Command) *confirmation {
	c := &confirmation{}
	cmd.Flags().BoolVarP(&c.yes, "yes", "y", false, "do it without asking; needed where no person is at a terminal")
	return c
}

// possible reports, before anything is read, whether a decision can come about at all.
func (c *confirmation) possible(cmd *cobra.Command) error {
	if c.yes || asksPerson(cmd.InOrStdin()) {
		return nil
	}
	return usagef("the standard input is no terminal, so nobody can be asked: --yes does it without asking")
}

// ask shows what a decision is about and asks for it. Anything but a clear yes is a no, and changes nothing.
func (c *confirmation) ask(cmd *cobra.Command, question string, show func(*printer)) error {
	if c.yes {
		return nil
	}
	p := &printer{}
	show(p)
	fmt.Fprintf(p, "\n%s [y/N] ", printable(question))
	if err := p.flush(cmd.ErrOrStderr()); err != nil {
		return err
	}
	said, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "y", "yes":
		return nil
	}
	return errors.New("it was not confirmed; nothing was changed")
}

// asksPerson reports whether a person can answer on the stream. A stream may say so itself.
func asksPerson(in io.Reader) bool {
	if t, ok := in.(interface{ IsTerminal() bool }); ok {
		return t.IsTerminal()
	}
	f, ok := in.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
