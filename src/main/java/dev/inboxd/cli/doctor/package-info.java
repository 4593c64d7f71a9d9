/** To be described. */
@NullMarked
package dev.inboxd.cli.doctor;

import org.jspecify.annotations.NullMarked;
