/** Pages for people, made of templates, with the files that they load. */
@NullMarked
package dev.inboxd.web;

import org.jspecify.annotations.NullMarked;
