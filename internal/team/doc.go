// Package team keeps the episodes of many repositories in one database: it takes in what a
// repository has to say, gives it to others who may read it, and finds the episodes that fit a
// question, in one project or in all.
//
// The store holds episodes and what finds them, and no graph: whoever asks makes one (Source).
// Each batch of episodes is one transaction that locks the row of its project, so writers of
// one project take turns and those of different projects never wait for each other.
//
// A search has two steps. The database selects the episodes that contain most of the words of
// the question, weighted by how rare they are, using hashes of words and their counts. The
// client builds a retrieval index of these few in memory, which ranks and quotes like a local
// one, and which knows how many sessions of the whole store contain a word (recall.Corpus).
// Counts of different projects are never added.
package team
