// Package team keeps the episodes of many repositories in one database: it takes in what a
// repository has to say, gives it to others who may read it, and finds the episodes that fit a
// question, in one project or in all.
//
// The store holds episodes and what finds them, and no graph: whoever asks makes one (Source).
// Each batch of episodes is one transaction that locks the row of its project, so writers of
// one project take turns and those of different projects never wait for each other.
package team
