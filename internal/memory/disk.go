package memory

// FreeFloor is the free space below which the graph is not written: a
// memory-mapped file on a full disk ends the process without a word. It is the
// same number as minFree of graph/badgerkv, which refuses to write with less.
const FreeFloor = 128 << 20
