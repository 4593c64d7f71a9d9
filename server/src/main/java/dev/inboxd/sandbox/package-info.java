/** The world to test in: mail from outside, people and faults by script, in development only (sandbox.md §1). */
@NullMarked
package dev.inboxd.sandbox;

import org.jspecify.annotations.NullMarked;
