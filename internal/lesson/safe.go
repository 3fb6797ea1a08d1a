package lesson

import (
	"strings"
	"unicode"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/risk"
)

// runsFetched is the remark of package risk that no lesson may have.
const runsFetched = "runs what it fetches"

// orders is text that speaks to whoever reads a lesson, not of the work.
var orders = lazy.Pattern(`(?i)\b(?:ignore|disregard|forget|override|bypass)\s+(?:\w+\s+){0,3}(?:previous|prior|above|earlier|preceding|other|all|your|system|these)\s+(?:\w+\s+){0,2}(?:instructions?|prompts?|rules?|messages?|lessons?|guidelines|context)\b` +
	`|\b(?:system prompt|developer message)\b.{0,40}\b(?:reveal|print|show|ignore|is now)|\b(?:reveal|print|repeat|show|leak)\b.{0,30}\b(?:system prompt|your instructions|hidden instructions)\b` +
	`|\byou are (?:now |no longer )?(?:an? |the )?(?:\w+ )?(?:assistant|ai|model|agent|llm|chatbot|dan|unrestricted|free)\b|\bas an ai\b|\b(?:when|if|once|before|after) you (?:read|see|are reading|answer|reply)\b` +
	`|\b(?:attention|note|dear|hey|to|message (?:to|for)),? (?:the )?(?:ai|llm|model|assistant|reading (?:model|agent)|claude|chatgpt|gpt|codex|gemini|copilot)\b\s*[:,!]|\b(?:do not|don['’]t|never) (?:tell|inform|mention (?:this|it)|reveal|ask|warn)\b.{0,20}\b(?:user|person|human|anybody|anyone|reviewer)\b` +
	`|\b(?:reply|respond|answer) (?:only )?with\b.{0,30}\b(?:held|only|exactly|yes|nothing else|json)\b|\bmark (?:all|every|each|this|these|other)\b.{0,30}\b(?:lessons?|entr(?:y|ies)|records?)\b|\b(?:drop|forget|delete) (?:all|every|the other)\b.{0,20}\blessons?\b` +
	`|\byour (?:new |next |only |first |real )?(?:task|instructions?|goal|role|orders?) (?:is|are)\b|\bfrom now on,? you\b|\byou must (?:now |first |always |immediately )?(?:run|execute|obey|send|upload|delete|approve|follow|comply)\b` +
	`|\b(?:send|upload|post|exfiltrate|e-?mail)\b.{0,60}\b(?:credentials?|secrets?|passwords?|\.env|ssh keys?|tokens?|environment variables|private keys?)\b.{0,60}(?:\bto\b|https?:)` +
	`|^(?:system|assistant|developer)\s*:\s` +
	`|<\|[a-z_]+\|>|(?:^<|</)(?:system|system-reminder|instructions?|assistant|user|human|tool_result|function_calls?|important)\b[^>]*>|\[/?(?:INST|SYS|SYSTEM_PROMPT)\]|<<SYS>>`)

// personal are the kinds of findings that are taken out; a text with any other is refused.
var personal = map[string]bool{"email": true, "home": true}

// safe says what no text may have, whoever says it, and puts the texts on one line without personal data.
func (k *checker) safe(texts ...*string) *Reason {
	for _, t := range texts {
		if plain.Line(*t) != strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return ' '
			}
			return r
		}, strings.ReplaceAll(*t, "\r\n", "\n")) {
			return refuse(Unsafe, "%.60q has characters that terminals obey or nobody sees: leave them out.", *t)
		}
		clean, found := k.Redact.Text(*t)
		for kind := range found {
			if !personal[kind] {
				return refuse(Secret, "It has a secret (%s): say what it is for, not what it is.", kind)
			}
		}
		switch *t = plain.Words(clean); {
		case orders().MatchString(*t):
			return refuse(Unsafe, "It speaks to the reader: %.80q. A lesson says what is so.", orders().FindString(*t))
		case risk.Of(*t, k.mentions) == runsFetched:
			return refuse(Unsafe, "It has a command that runs what it fetches: name the tool, not the command.")
		}
	}
	return nil
}

// mentions reports whether the session names a package.
func (k *checker) mentions(name string) bool {
	return k.Log != nil && strings.Contains(k.Log.words.text.String(), strings.ToLower(name))
}

// addresses are what names a place in a network.
var addresses = lazy.Pattern(`(?i)\b(?:https?|wss?|ftp|ssh|git)://([^\s/"'<>)\]}\x60]+)|\b((?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|ai|app|sh|co|xyz|info|cloud|ru|cn|me|tech|site|online|top|biz|eu|de|uk|example|invalid|onion))\b|\b(\d{1,3}(?:\.\d{1,3}){3})\b`)

// address is an address in the texts that the session does not have, or "".
func (s *Session) address(texts ...string) string {
	for _, t := range texts {
		for _, m := range addresses().FindAllStringSubmatch(t, -1) {
			host := strings.ToLower(strings.TrimRight(m[1]+m[2]+m[3], ".,;:"))
			if !strings.Contains(s.words.text.String(), host) {
				return host
			}
		}
	}
	return ""
}
