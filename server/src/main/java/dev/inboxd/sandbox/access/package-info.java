/** Who may change the world to test in (sandbox.md §1). */
@NullMarked
package dev.inboxd.sandbox.access;

import org.jspecify.annotations.NullMarked;
