/** Tests of what the checks share, and a DNS for the tests of all of them. */
@NullMarked
package dev.inboxd.mail.auth;

import org.jspecify.annotations.NullMarked;
