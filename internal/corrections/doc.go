// Package corrections keeps what persons and readers corrected in an episode, so that
// it outlasts the next extraction.
//
// The corrections of an episode are one small file in git, with one entry on each
// line. Each entry rests on lines of the log, by their text: if these lines moved, the
// entry moves with them, and if they are gone, it no longer holds, which is reported when
// it is applied. An episode that has corrections is what the rules find in its log, then what
// readers said, then what the agent stated of its session, then what persons said: the last
// word is a person's. What an agent states rests on no lines, and never overrules the log.
// It is a function of the log and of the file, so extraction never changes the file.
//
// An episode file is what extraction and corrections made of its log, or it was edited
// (Edited): then nothing changes it but extraction that is forced, and Differences lists
// what was edited, with the commands that keep it.
//
// Ids of records stay what the rules made them: what is taken away leaves a gap, what is
// added gets the next number. Only lessons, which are numbered by their place, move up.
package corrections
