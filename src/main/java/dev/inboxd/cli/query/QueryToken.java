package dev.inboxd.cli.query;

import org.jspecify.annotations.Nullable;

/**
 * A sign or a word of an expression.
 *
 * @param kind what it is: {@code name}, {@code quoted}, {@code number}, {@code literal}, {@code end}, or the sign
 * @param value the name, the number or the literal; null for a sign
 * @param at its place in the expression, from zero
 */
record QueryToken(String kind, @Nullable Object value, int at) {}
