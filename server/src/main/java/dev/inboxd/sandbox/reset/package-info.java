/** The world of an organization begins anew, in development (sandbox.md §4). */
@NullMarked
package dev.inboxd.sandbox.reset;

import org.jspecify.annotations.NullMarked;
