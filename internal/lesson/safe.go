package lesson

import (
	"cmp"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/risk"
	"episodes/redact"
)

// runsFetched is the remark of package risk that no lesson may have.
const runsFetched = "runs what it fetches"

// orders is text that speaks to whoever reads a lesson, not of the work.
var orders = lazy.Pattern(`(?i)\b(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}(?:previous|prior|above|earlier|other|all|your|system)\s+(?:\w+\s+){0,2}(?:instruction|prompt|rule|message|lesson|guideline)s?\b` +
	`|\b(?:reveal|print|repeat|show|leak)\b.{0,30}\b(?:system prompt|(?:your|hidden) instructions)\b|\byou are (?:now |no longer )?(?:an? |the )?(?:\w+ )?(?:assistant|ai|model|agent|llm|chatbot)\b|\bas an ai\b` +
	`|\b(?:when|if|once|before|after) you (?:read|see|answer|reply)\b|\b(?:attention|note|dear|hey|message),? (?:to |for )?(?:the |any )?(?:ai|llm|model|assistant|agent|reader)\b` +
	`|\b(?:not|n['’]t|never) (?:tell|inform|mention|reveal|ask|warn)\b.{0,20}\b(?:user|person|human|any(?:body|one)|reviewer)\b|\b(?:reply|respond|answer) (?:only )?with\b|\b(?:mark|drop|forget|delete) (?:all|every|the|these)?\s*(?:other )?lessons?\b` +
	`|\byour (?:\w+ )?(?:task|instructions?|goal|role|orders?) (?:is|are)\b|\bfrom now on,? you\b|\byou must (?:\w+ )?(?:run|execute|obey|send|upload|approve|follow)\b` +
	`|\b(?:send|upload|post|exfiltrate|e?mail)\b.{0,60}\b(?:credentials?|secrets?|passwords?|\.env|keys?|tokens?)\b.{0,60}(?:\bto\b|https?:)` +
	`|^(?:system|assistant|developer)\s*:\s|<\|[a-z_]+\|>|(?:^<|</)(?:system|instruction|assistant|user|human|tool_result|function_call|important)|\[/?(?:INST|SYS)\]|<<SYS>>`)

// safe says what no text may have, whoever says it, and puts the texts on one line without personal data.
func (k *checker) safe(texts ...*string) *Reason {
	for _, t := range texts {
		raw := strings.ReplaceAll(*t, "\r\n", "\n")
		clean, found := cmp.Or(k.Redact, redact.Default).Text(*t)
		if found.Total() > found["email"]+found["home"] {
			return refuse(Secret, "It has a secret (%s): say what it is for, not what it is.", found)
		}
		switch *t = plain.Words(clean); {
		case plain.Text(raw) != raw:
			return refuse(Unsafe, "%.60q has characters that terminals obey or nobody sees.", raw)
		case orders().MatchString(*t):
			return refuse(Unsafe, "It speaks to the reader: %.80q. A lesson says what is so.", orders().FindString(*t))
		case risk.Of(*t, func(name string) bool { return k.Log != nil && strings.Contains(k.Log.text, strings.ToLower(name)) }) == runsFetched:
			return refuse(Unsafe, "It has a command that runs what it fetches.")
		}
	}
	return nil
}

// addresses are what names a place in a network.
var addresses = lazy.Pattern(`(?i)\b(?:https?|wss?|ftp|ssh|git)://([^\s/"'<>)\]}\x60]+)|\b((?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|co|xyz|info|cloud|ru|cn|example|onion)|\d{1,3}(?:\.\d{1,3}){3})\b`)

// address refuses texts with an address that the session does not have.
func (s *Session) address(texts ...string) *Reason {
	for _, m := range addresses().FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		if host := strings.ToLower(strings.TrimRight(m[1]+m[2], ".,;:")); !strings.Contains(s.text, host) {
			return refuse(Foreign, "The session does not have the address %q.", host)
		}
	}
	return nil
}
