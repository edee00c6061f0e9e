package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// jsonFlag asks for answers that programs read.
const jsonFlag = "json"

func addJSONFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(jsonFlag, false, "answer in JSON, with the names of the API")
}

func wantsJSON(cmd *cobra.Command) bool {
	yes, err := cmd.Flags().GetBool(jsonFlag)
	return err == nil && yes
}

// answer writes a command's answer: as JSON where that is asked for, else by the text function.
func answer(cmd *cobra.Command, value any, text func(*printer)) error {
	if !wantsJSON(cmd) {
		p := &printer{}
		text(p)
		return p.flush(cmd.OutOrStdout())
	}
	data, err := encode(value)
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(data)
	return err
}

// answerLine writes one of a stream of answers: as one line of JSON, so that each can be read as it comes.
func answerLine(cmd *cobra.Command, value any, text func(*printer)) error {
	if !wantsJSON(cmd) {
		return answer(cmd, value, text)
	}
	data, err := encode(value)
	if err != nil {
		return err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return err
	}
	line.WriteByte('\n')
	_, err = cmd.OutOrStdout().Write(line.Bytes())
	return err
}

// encode writes messages by the protobuf rules with the names of the API, everything else by Go's, both indented.
func encode(value any) ([]byte, error) {
	var data []byte
	var err error
	if m, ok := value.(proto.Message); ok {
		data, err = protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	} else {
		data, err = json.Marshal(value)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", "  "); err != nil { // protobuf's own spacing differs from run to run
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// printer gathers text for people.
type printer struct{ bytes.Buffer }

func (p *printer) flush(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	return err
}

// table writes rows under a heading, in columns.
func (p *printer) table(heading []string, rows [][]string) {
	w := tabwriter.NewWriter(p, 0, 4, 2, ' ', 0)
	for _, row := range append([][]string{heading}, rows...) {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, printable(cell))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// facts writes names and values, leaving out those without a value.
func (p *printer) facts(pairs ...string) {
	w := tabwriter.NewWriter(p, 0, 4, 2, ' ', 0)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(w, "%s\t%s\n", pairs[i], printable(pairs[i+1]))
		}
	}
	w.Flush()
}

// printable keeps what others wrote from moving the cursor or breaking a table.
func printable(s string) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '·'
		}
		return r
	}, []byte(s)))
}

// clock writes an instant for people; absent ones are empty.
func clock(t *timestamppb.Timestamp) string {
	if t == nil {
		return ""
	}
	return t.AsTime().UTC().Format("2006-01-02 15:04:05Z")
}

// lasting writes a duration without digits that nobody reads.
func lasting(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}
