/**
 * Agents that sign up without any credential, and the one-time code by which their human confirms them (identity.md
 * §6).
 */
@NullMarked
package dev.inboxd.account.signup;

import org.jspecify.annotations.NullMarked;
