/** What tests of all modules share: the promises that a test proves, and the speed of the machine. */
@NullMarked
package dev.inboxd.testing;

import org.jspecify.annotations.NullMarked;
