/** Signing in to third-party apps as an inbox. */
@NullMarked
package dev.inboxd.app;

import org.jspecify.annotations.NullMarked;
