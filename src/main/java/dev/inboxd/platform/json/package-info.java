/** JSON parsing and writing. Only this package imports Jackson. */
@NullMarked
package dev.inboxd.platform.json;

import org.jspecify.annotations.NullMarked;
