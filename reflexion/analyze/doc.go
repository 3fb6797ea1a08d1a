// Package analyze says from records whether trying again with memory helped:
// curves, rates, learning, and comparisons of arms that rest on exact tests.
//
// Every figure is computed from the records given, in whatever order they come.
// Where too few cases stand behind a figure it is absent (nil), never guessed:
// see MinPairs and MinLoops.
package analyze
