/** Tests of sign-up. */
@NullMarked
package dev.inboxd.account.signup;

import org.jspecify.annotations.NullMarked;
