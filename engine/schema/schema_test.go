package schema_test

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

func TestSchema(t *testing.T) {
	g := testkg.SaidTwice()
	s, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]kg.RelationID{}
	for r := range g.Relations() {
		at[g.RelationKey(kg.RelationID(r))] = kg.RelationID(r)
	}
	directed, inverse, double := schema.Forward(at["directed_by"]), schema.Forward(at["directed_by_inverse"]), schema.Forward(at["film_directed_by"])
	if s.Canonical(inverse) != directed.Back() || s.Canonical(inverse.Back()) != directed {
		t.Errorf("Canonical(directed_by_inverse) = %d, %d, want directed_by turned round", s.Canonical(inverse), s.Canonical(inverse.Back()))
	}
	if s.Canonical(double) != directed || len(s.Twins(at["directed_by"])) != 2 {
		t.Errorf("Canonical(film_directed_by) = %d, twins %v, want directed_by with its double", s.Canonical(double), s.Twins(at["directed_by"]))
	}
	if !s.IsSymmetric(at["borders"]) || s.IsSymmetric(at["directed_by"]) {
		t.Error("IsSymmetric: want borders to be, directed_by not")
	}
	if got := s.Value(schema.Forward(at["release_year"]).To()); got != schema.DateValue {
		t.Errorf("Value of release_year = %d, want dates", got)
	}
	if !s.IsMediator(schema.Forward(at["spouse_s"]).To()) || s.IsMediator(directed.To()) {
		t.Error("IsMediator: want the tails of spouse_s to be, persons not")
	}
}

// TestUniting: planners of one schema whose words differ do not change it for each
// other.
func TestUniting(t *testing.T) {
	g := testkg.SaidTwice()
	s, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	directed := testkg.FindRelation(g, "directed_by")
	if s.JoinsSame(directed) {
		t.Fatal("films and persons are of one kind already")
	}
	if !s.Uniting([]kg.RelationID{directed}).JoinsSame(directed) {
		t.Error("Uniting: the ends are still of two kinds")
	}
	if s.JoinsSame(directed) {
		t.Error("Uniting changed the schema that it was called on")
	}
}

// TestIDsAreNoValues: things with a type and relations of their own are no numbers, whatever their ids.
func TestIDsAreNoValues(t *testing.T) {
	var b kg.Builder
	for _, to := range [][2]string{{"83", "84"}, {"84", "85"}, {"85", "83"}} {
		b.Add(to[0], "transferred_to", to[1])
		b.Add(to[0], "balance", to[0]+"0")
		b.AddType(b.Entity(to[0]), "account")
	}
	g := b.Graph()
	s, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for relation, want := range map[string]schema.ValueKind{"transferred_to": schema.NoValue, "balance": schema.NumberValue} {
		if got := s.Value(schema.Forward(testkg.FindRelation(g, relation)).To()); got != want {
			t.Errorf("the values of %s are %d, want %d", relation, got, want)
		}
	}
}
