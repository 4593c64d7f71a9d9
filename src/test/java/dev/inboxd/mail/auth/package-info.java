/** Tests of what authentication is made of, and a DNS for them all. */
@NullMarked
package dev.inboxd.mail.auth;

import org.jspecify.annotations.NullMarked;
