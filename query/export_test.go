package query

// Checksummed is data with the checksum that an index ends in, for the fuzzer to
// get past it.
func Checksummed(data []byte) []byte {
	data = data[:max(0, len(data)-8)]
	return append(data[:len(data):len(data)], checksum(data)...)
}
