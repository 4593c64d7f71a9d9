@NullMarked
package dev.inboxd.search;

import org.jspecify.annotations.NullMarked;
