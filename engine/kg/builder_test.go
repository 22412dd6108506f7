package kg

import "testing"

func TestRelationText(t *testing.T) {
	for _, tt := range []struct{ key, want string }{
		{"PhD supervisor", "PhD supervisor"},
		{"IsA", "is a"},
		{"directed_by", "directed by"},
		{"birthPlace", "birth place"},
		{"ISO code", "ISO code"},
		{"hasISOCode", "has ISOCode"},
		{"Soil pH", "soil pH"},
		{"Known for", "known for"},
		{"optimal pH", "optimal pH"},
		{"mRNA level", "mRNA level"},
		{"isA", "is a"},
		{"hasA", "has a"},
		{"logP", "logP"},
		{"film.actor.film", "actor film"},
		{"/people/person/place_of_birth", "person place of birth"},
		{"http://xmlns.com/foaf/0.1/homepage", "homepage"},
		{"http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "type"},
		{"biolink:physically_interacts_with", "physically interacts with"},
		{"rdfs:subClassOf", "sub class of"},
		{"ratio 3:2", "ratio 3:2"},
		{"area (km²)", "area (km²)"},
		{"price (EUR/kg)", "price (EUR/kg)"},
		{"___", "___"},
		{"", ""},
	} {
		if got := RelationText(tt.key); got != tt.want {
			t.Errorf("RelationText(%q) = %q, want %q", tt.key, got, tt.want)
		}
	}
}
