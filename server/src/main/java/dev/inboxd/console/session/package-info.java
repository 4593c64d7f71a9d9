/** Who sees the console: signing in and the token of an open one, visits and their forms, the consent to programs. */
@NullMarked
package dev.inboxd.console.session;

import org.jspecify.annotations.NullMarked;
