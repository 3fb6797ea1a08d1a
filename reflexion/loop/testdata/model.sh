#!/bin/sh
# A model that finds the cause from the third failure on: the words before differ,
# so that they are no repeats.
logs=${LOGS:-.}
n=$(grep -c '^<reflection-' -)
echo reflect >>"$logs/model.log"
case "$n" in
0) echo '{"reflection_text":"I guessed the number in answer.txt:1 without reading what the test wants, so it came out wrong. In my next attempt I will read the test of the answer before I write.","actionable_insights":["read the test of answer.txt"],"confidence":0.3,"credit_assignment":{"failing_action_indices":[0],"failure_category":"incorrect_assumption"}}' ;;
1) echo '{"reflection_text":"Reading helped little: I see now that answer.txt:1 must hold one certain value and that both of my guesses were near it. I should compare with the question, then write 42 into answer.txt.","actionable_insights":["write 42 into answer.txt"],"lessons_learned":["ask what the question is"],"confidence":0.8,"credit_assignment":{"failing_action_indices":[0],"failure_category":"logic_error"}}' ;;
*) echo '{"reflection_text":"Nothing new comes to my mind about answer.txt."}' ;;
esac
