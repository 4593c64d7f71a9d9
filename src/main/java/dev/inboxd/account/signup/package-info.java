/**
 * Sign-up of agents without a credential, and their verification by a one-time code that their human passes on
 * (identity.md §6). Used over HTTP only.
 */
@NullMarked
package dev.inboxd.account.signup;

import org.jspecify.annotations.NullMarked;
