package command

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// OptionFlags are the options of a training as flags.
type OptionFlags struct {
	kong.Plugins // one struct with a field for each option

	options []retrieve.Option
}

// NewOptionFlags makes a flag of each option.
func NewOptionFlags(options []retrieve.Option) OptionFlags {
	options = slices.DeleteFunc(slices.Clone(options), func(o retrieve.Option) bool { return o.Hidden })
	fields := make([]reflect.StructField, len(options))
	for i, o := range options {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("Option%d", i), Type: reflect.TypeFor[string]()}
		place := "N"
		if len(o.Choices) > 0 {
			place = "WAY"
		}
		if o.Several {
			fields[i].Type = reflect.TypeFor[[]string]()
		}
		fields[i].Tag = reflect.StructTag(fmt.Sprintf(`name:%q help:%q placeholder:%q`, o.Name, optionHelp(o), place))
	}
	return OptionFlags{kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}, options}
}

// optionHelp is the help of an option with its choices and its default.
func optionHelp(o retrieve.Option) string {
	help := strings.TrimSuffix(o.Help, ".")
	var choices []string
	for _, c := range o.Choices {
		said := c.Value
		if !strings.EqualFold(c.Title, c.Value) {
			said += " (" + c.Title + ")"
		}
		choices = append(choices, said)
	}
	if o.Embedders {
		choices = append(choices, "the id of an embedder")
	}
	if len(choices) > 0 {
		help += ": " + wording.Choice(choices)
	}
	return help + "; default: " + o.Default + "."
}

// Chosen are the values that were given, by the names of the options.
func (f OptionFlags) Chosen() (retrieve.Values, error) {
	chosen := retrieve.Values{}
	for i, o := range f.options {
		switch v := reflect.ValueOf(f.Plugins[0]).Elem().Field(i); {
		case v.IsZero():
		case o.Several:
			chosen[o.Name] = strings.Join(v.Interface().([]string), ",") //nolint:forcetypeassert,errcheck // as NewOptionFlags made it
		default:
			chosen[o.Name] = v.String()
		}
	}
	if err := retrieve.CheckValues(f.options, chosen, func(o retrieve.Option) string { return "--" + o.Name }); err != nil {
		return nil, UsageError(err.Error())
	}
	return chosen, nil
}

// EpochText is one line of a training.
func EpochText(x retrieve.Epoch) string {
	var b strings.Builder
	if x.Parts > 1 {
		fmt.Fprintf(&b, "part %d of %d, ", x.Part, x.Parts)
	}
	if x.Try > 1 {
		fmt.Fprintf(&b, "attempt %d, ", x.Try)
	}
	fmt.Fprintf(&b, "epoch %d of %d", x.Epoch, x.Epochs)
	divider := ": "
	if x.Loss != 0 { // what has none learns otherwise
		fmt.Fprintf(&b, "%sloss %.4f", divider, x.Loss)
		divider = ", "
	}
	if d := x.Dev; d != nil {
		fmt.Fprintf(&b, "%sHits@1 %.1f, Hit %.1f, F1 %.1f", divider, 100*d.H1, 100*d.Hit, 100*d.F1)
	}
	if x.Best {
		b.WriteString(", the best so far")
	}
	if x.Stalled {
		b.WriteString("; it stalled and restarts with another seed")
	}
	return b.String()
}
