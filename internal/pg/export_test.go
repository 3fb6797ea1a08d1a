package pg

const NameRule = nameRule
