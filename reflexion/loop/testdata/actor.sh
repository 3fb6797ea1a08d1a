#!/bin/sh
# An actor that does better only by what its prompt tells it: it knows the wrong
# answer by itself, and the right one when a reflection says so.
logs=${LOGS:-.}
prompt=$(cat)
printf '%s\n' "$prompt" >"$logs/prompt-$EPISODES_ITERATION"
echo "begin $EPISODES_ITERATION" >>"$logs/actor.log"
[ -z "$ACTOR_SLEEP" ] || sleep "$ACTOR_SLEEP"
case $prompt in *'write 42 into answer.txt'*) answer=42 ;; *) answer=$((40 + EPISODES_ITERATION % 2)) ;; esac
echo "$answer" >answer.txt
echo "end $EPISODES_ITERATION" >>"$logs/actor.log"
echo "{\"actions\":[{\"type\":\"code_modification\",\"description\":\"wrote $answer\",\"file_path\":\"answer.txt\"}],\"rationale\":\"iteration $EPISODES_ITERATION\"}"
