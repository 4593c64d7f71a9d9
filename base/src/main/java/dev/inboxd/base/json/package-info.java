/** JSON in and out; the only package that imports Jackson. */
@NullMarked
package dev.inboxd.base.json;

import org.jspecify.annotations.NullMarked;
