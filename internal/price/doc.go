// Package price knows what tokens cost at the list prices of the models' providers.
//
// A price list is a text file that people edit, one model a line:
//
//	date 2026-10-16
//	# model            input  output  cache read  cache write     dollars per million tokens
//	claude-opus-4-5*    5      25      0.50        6.25
//
// A star stands for the rest of the name. Of several lines that fit, that of the strongest file counts (the repository's
// .ralphex/prices, the user's, the built-in list), and in a file the longest.
//
// What it says is an estimate: subscriptions, discounts and long contexts cost something else.
package price
