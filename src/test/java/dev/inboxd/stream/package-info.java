@NullMarked
package dev.inboxd.stream;

import org.jspecify.annotations.NullMarked;
