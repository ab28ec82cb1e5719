/**
 * Reads the replies of collectors. {@code AnswerReader} turns the {@code Reply} of an exchange into
 * an {@code Answer}.
 */
@NullMarked
package io.duplog.deliver.hec.answer;

import org.jspecify.annotations.NullMarked;
