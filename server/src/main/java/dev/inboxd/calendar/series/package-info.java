/** Events as they are stored: the series, its dates, eras and exceptions, and when each starts and ends. */
@NullMarked
package dev.inboxd.calendar.series;

import org.jspecify.annotations.NullMarked;
