/**
 * Reads the replies of collectors. {@code AnswerReader} turns the {@code Reply} of an exchange into
 * an {@code Answer}.
 */
package io.duplog.deliver.hec.answer;
