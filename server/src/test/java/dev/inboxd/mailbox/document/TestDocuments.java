package dev.inboxd.mailbox.document;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFSlide;
import org.apache.poi.xssf.usermodel.XSSFRow;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;

/** Makes documents for tests. */
public final class TestDocuments {
    private TestDocuments() {}

    /** A document. */
    public static byte[] pdf(String line) throws IOException {
        try (PDDocument pdf = new PDDocument()) {
            PDPage page = new PDPage();
            pdf.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(pdf, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 700);
                content.showText(line);
                content.endText();
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            pdf.save(bytes);
            return bytes.toByteArray();
        }
    }

    /** A document. */
    public static byte[] docx(String text) throws IOException {
        try (XWPFDocument word = new XWPFDocument()) {
            word.createParagraph().createRun().setText(text);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            word.write(bytes);
            return bytes.toByteArray();
        }
    }

    /** A document. */
    public static byte[] xlsx(String text, double number) throws IOException {
        try (XSSFWorkbook book = new XSSFWorkbook()) {
            XSSFRow row = book.createSheet("Sums").createRow(0);
            row.createCell(0).setCellValue(text);
            row.createCell(1).setCellValue(number);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            book.write(bytes);
            return bytes.toByteArray();
        }
    }

    /** Two slides, of which the second has notes, unless they are empty. */
    public static byte[] pptx(String first, String second, String notes) throws IOException {
        try (XMLSlideShow show = new XMLSlideShow()) {
            show.createSlide().createTextBox().setText(first);
            XSLFSlide slide = show.createSlide();
            slide.createTextBox().setText(second);
            if (!notes.isEmpty()) {
                show.getNotesSlide(slide).createTextBox().setText(notes);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            show.write(bytes);
            return bytes.toByteArray();
        }
    }

    /** A mail with a text, a file and, within it, another mail. */
    public static byte[] mail(int depth) {
        String inner = depth == 0
                ? ""
                : "--b" + depth + "\r\nContent-Type: message/rfc822\r\n\r\n"
                        + new String(mail(depth - 1), StandardCharsets.UTF_8) + "\r\n";
        return ("From: Kim <kim@a.example>\r\nTo: alex@a.example\r\nSubject: =?utf-8?Q?St=C3=BChle_" + depth
                        + "?=\r\nDate: Mon, 5 May 2025 10:00:00 +0200\r\nMIME-Version: 1.0\r\n"
                        + "Content-Type: multipart/mixed; boundary=b" + depth + "\r\n\r\n--b" + depth
                        + "\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Text <b>" + depth + "</b></p>\r\n--b"
                        + depth + "\r\nContent-Type: application/pdf; name=\"plan.pdf\"\r\n\r\nx\r\n" + inner + "--b"
                        + depth + "--\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** A Word file of some hundred kilobytes whose text would unfold to that many mebibytes. */
    static byte[] bomb(int mebibytes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            entry(zip, "[Content_Types].xml", """
                    <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
                    <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
                    <Override PartName="/word/document.xml"
                     ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>
                    """);
            entry(zip, "_rels/.rels", """
                    <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
                    <Relationship Id="r" Target="word/document.xml"
                     Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>
                    </Relationships>
                    """);
            zip.putNextEntry(new ZipEntry("word/document.xml"));
            zip.write(
                    "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body><w:p><w:r><w:t>"
                            .getBytes(StandardCharsets.UTF_8));
            byte[] filler = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < mebibytes; i++) {
                zip.write(filler);
            }
            zip.write("</w:t></w:r></w:p></w:body></w:document>".getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    /** A Word file whose parts unfold to more than its reader may hold, though none of them by much. */
    static byte[] hoard() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Random random = new Random(3);
        byte[] filler = new byte[500];
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int part = 0; part < 4; part++) {
                zip.putNextEntry(new ZipEntry("word/media/" + part));
                for (int octets = 0; octets < 60 << 20; octets += filler.length) {
                    filler[0] = (byte) random.nextInt();
                    filler[1] = (byte) random.nextInt();
                    filler[2] = (byte) random.nextInt();
                    zip.write(filler);
                }
            }
        }
        return bytes.toByteArray();
    }

    private static void entry(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
    }
}
