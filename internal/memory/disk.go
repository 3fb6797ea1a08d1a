package memory

// FreeFloor is the free space below which the graph is not written: a
// memory-mapped file on a full disk kills the process without a message. It equals
// minFree of graph/badgerkv, which refuses to write with less.
const FreeFloor = 128 << 20
