// Package corrections changes the records of an episode as persons, agents and readers say.
//
// An entry is about a record, a link, the task or the outcome. It rests on lines of the log, by their text: if these
// lines moved, the entry moves with them, and if they are gone, it no longer holds. Readers come first, then agents, then
// persons: the last word is a person's. What an agent states rests on no lines, and never overrules the log. Entries
// stand among the additions of an episode (package additions); versions before wrote a file of them for each episode,
// which is still read. Teach adds the records that a lesson stands for.
//
// An episode file is what extraction made of its log, or it was edited (Edited): then nothing changes it but extraction
// that is forced, and Differences lists what was edited, with the commands that keep it.
//
// Ids of records stay what the rules made them: what is taken away leaves a gap, what is
// added gets the next number. Only lessons, which are numbered by their place, move up.
package corrections
