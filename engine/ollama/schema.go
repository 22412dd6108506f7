package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What a schema may hold. Servers crash, or refuse, at lengths and counts of
// about 2000, and take minutes to compile thousands of alternatives (measured on
// Ollama 0.17.4: 1000 in 0.2 s, 5000 in 3.3 s, 20000 in 46 s).
const (
	maxSchemaBound = 1900
	maxSchemaEnum  = 2000
)

// checkSchema returns an error for a schema that is known to crash servers or to
// be refused by them. Ask sends no such schema.
func checkSchema(schema json.RawMessage) error {
	if len(bytes.TrimSpace(schema)) == 0 {
		return errors.New("the schema is empty")
	}
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return fmt.Errorf("the schema is not a JSON object: %w", err)
	}
	return checkNode(root)
}

func checkNode(node any) error {
	switch x := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) { // so that the same one is reported every time
			v := x[key]
			if err := checkKeyword(key, v); err != nil {
				return err
			}
			if err := checkNode(v); err != nil {
				return err
			}
		}
	case []any:
		for _, v := range x {
			if err := checkNode(v); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkKeyword(key string, v any) error {
	switch key {
	case "maxLength", "maxItems", "minLength", "minItems":
		if n, ok := v.(float64); ok && n > maxSchemaBound {
			return fmt.Errorf("%s is %v in the schema, and servers crash above %d", key, n, maxSchemaBound)
		}
	case "enum":
		if list, ok := v.([]any); ok && len(list) > maxSchemaEnum {
			return fmt.Errorf("an enum of the schema has %d values, and servers are slow above %d", len(list), maxSchemaEnum)
		}
	case "pattern":
		if p, ok := v.(string); ok && (!strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$")) {
			return fmt.Errorf("the pattern %q of the schema is not anchored by ^ and $, and servers refuse it", p)
		}
	}
	return nil
}
