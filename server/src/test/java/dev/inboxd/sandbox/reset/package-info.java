@NullMarked
package dev.inboxd.sandbox.reset;

import org.jspecify.annotations.NullMarked;
