// Package repotest tests the repository itself: who may import whom, that every
// room says what it is for, and that nothing personal slipped into the tree. There
// is nothing but tests in it.
package repotest
