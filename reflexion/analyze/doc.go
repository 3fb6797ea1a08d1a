// Package analyze measures from records whether reflections and the other parts of a
// prompt helped: curves, rates, learning, and comparisons of arms by exact tests.
//
// Every figure is computed from the given records alone and does not depend on their order.
// With too few cases a figure is nil: see MinPairs and MinLoops.
package analyze
