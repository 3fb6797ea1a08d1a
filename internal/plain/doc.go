// Package plain makes text of others fit to be read: one filter for all that comes from
// logs, records, verifiers and models, before people, programs or other models see it.
//
// Text and Line drop what a reader cannot see or a terminal obeys, and Quote and Block
// set off what is left, so that it reads as a quotation and never as words of ours.
// What is dropped, and why:
//
//   - escape sequences and control characters: terminals obey them
//   - bidirectional controls: text would read in another order than it has
//   - tag characters, invisible operators, fillers, soft hyphens, annotations and all
//     other characters that are ignored by default (Unicode, DerivedCoreProperties):
//     they hide a text in another, or part a word that is looked for
//   - joiners, except within emoji and between letters of scripts that join
//   - variation selectors, except one after a base that takes it
//   - marks without a base, or more than maxMarks on one: they cover adjacent text
//
// Private-use and unassigned characters become U+FFFD, as do bytes that are not UTF-8, since
// their appearance is not defined.
package plain
