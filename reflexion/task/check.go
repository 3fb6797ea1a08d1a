package task

// Check reads every file of a task and returns the first problem.
func (s *Store) Check(id string) error {
	h, err := s.History(id, true)
	if err != nil {
		return err
	}
	for _, a := range h.Attempts {
		if _, err := s.Replay(id, a.AttemptID); err != nil {
			return err
		}
	}
	return nil
}
