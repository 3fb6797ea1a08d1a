#!/bin/sh
# TAP with one test: the answer is 42.
logs=${LOGS:-.}
echo verify >>"$logs/verify.log"
echo "1..1"
if [ -e answer.txt ] && read -r answer <answer.txt && [ "$answer" = 42 ]; then echo "ok 1 - answer"; exit 0; fi
echo "not ok 1 - answer"
echo "  ---"
echo "  message: 'the answer is not right'"
echo "  at: 'answer.txt:1'"
echo "  ..."
exit 1
