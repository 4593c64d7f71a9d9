/** JSON in and out; the only package that imports Jackson. Everyone above may use it. */
@NullMarked
package dev.inboxd.platform.json;

import org.jspecify.annotations.NullMarked;
