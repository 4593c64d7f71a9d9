package dev.inboxd.mailbox.document;

import dev.inboxd.mailbox.attachment.TextFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.poi.hwpf.extractor.WordExtractor;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.apache.poi.openxml4j.opc.OPCPackage;
import org.apache.poi.openxml4j.util.ZipSecureFile;
import org.apache.poi.sl.extractor.SlideShowExtractor;
import org.apache.poi.ss.usermodel.DataFormatter;
import org.apache.poi.ss.util.CellReference;
import org.apache.poi.util.XMLHelper;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFShape;
import org.apache.poi.xslf.usermodel.XSLFTextParagraph;
import org.apache.poi.xssf.eventusermodel.ReadOnlySharedStringsTable;
import org.apache.poi.xssf.eventusermodel.XSSFReader;
import org.apache.poi.xssf.eventusermodel.XSSFSheetXMLHandler;
import org.apache.poi.xssf.usermodel.XSSFComment;
import org.apache.poi.xwpf.extractor.XWPFWordExtractor;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.jspecify.annotations.Nullable;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;

/**
 * Extracts the text of documents, whole in memory. Hostile documents may exhaust it: runs in {@link ReaderProgram}
 * only.
 */
final class TextExtractor {
    /**
     * An archive entry must not inflate to more octets than this, nor to a hundred times its size (a zip bomb, A15).
     */
    private static final long LARGEST_ENTRY = 64 << 20;

    private TextExtractor() {}

    /**
     * The text of a document, cut at the limit.
     *
     * @throws Exception when the document has another format, or is hostile
     */
    static String text(TextFormat format, byte[] document) throws Exception {
        ZipSecureFile.setMaxEntrySize(LARGEST_ENTRY);
        LimitedText text = new LimitedText();
        try {
            switch (format) {
                case PDF -> pdf(document, text);
                case DOCX -> docx(document, text);
                case DOC -> doc(document, text);
                case XLSX -> xlsx(document, text);
                case PPTX -> pptx(document, text);
                case MAIL -> MailFile.write(document, text);
                case TEXT, HTML -> throw new IllegalArgumentException("text needs no extraction");
            }
        } catch (LimitedText.LimitReached enough) {
            return text.toString();
        }
        return text.toString();
    }

    private static void pdf(byte[] document, Writer text) throws IOException {
        try (PDDocument pdf = Loader.loadPDF(document, "", null, null, IOUtils.createMemoryOnlyStreamCache())) {
            new PDFTextStripper().writeText(pdf, text);
        }
    }

    private static void docx(byte[] document, Writer text) throws IOException {
        try (XWPFWordExtractor word = new XWPFWordExtractor(new XWPFDocument(new ByteArrayInputStream(document)))) {
            text.append(word.getText());
        }
    }

    private static void doc(byte[] document, Writer text) throws IOException {
        try (WordExtractor word = new WordExtractor(new ByteArrayInputStream(document))) {
            text.append(word.getText());
        }
    }

    private static void pptx(byte[] document, Writer text) throws IOException {
        XMLSlideShow show = new XMLSlideShow(new ByteArrayInputStream(document));
        try (SlideShowExtractor<XSLFShape, XSLFTextParagraph> slides = new SlideShowExtractor<>(show)) {
            slides.setNotesByDefault(true);
            text.append(slides.getText());
        }
    }

    private static void xlsx(byte[] document, Writer text)
            throws IOException, OpenXML4JException, SAXException, ParserConfigurationException {
        try (OPCPackage parts = OPCPackage.open(new ByteArrayInputStream(document))) {
            XSSFReader reader = new XSSFReader(parts);
            ReadOnlySharedStringsTable strings = new ReadOnlySharedStringsTable(parts);
            XSSFReader.SheetIterator sheets = (XSSFReader.SheetIterator) reader.getSheetsData();
            while (sheets.hasNext()) {
                try (InputStream sheet = sheets.next()) {
                    text.append(sheets.getSheetName()).append('\n');
                    XMLReader xml = XMLHelper.newXMLReader();
                    xml.setContentHandler(new XSSFSheetXMLHandler(
                            reader.getStylesTable(), null, strings, new Cells(text), new DataFormatter(), false));
                    xml.parse(new InputSource(sheet));
                }
            }
        }
    }

    /** Writes rows as lines, with a tab behind each cell; a cell that is left out has its tab, too. */
    private static final class Cells implements XSSFSheetXMLHandler.SheetContentsHandler {
        /** Beyond this column what is left out has no tabs: a row of one cell may name the last of 16,384. */
        private static final int MOST_LEFT_OUT = 40;

        private final Writer text;
        private int next;

        Cells(Writer text) {
            this.text = text;
        }

        @Override
        public void startRow(int row) {
            next = 0;
        }

        @Override
        public void endRow(int row) {
            write("\n");
        }

        @Override
        public void cell(@Nullable String reference, @Nullable String value, @Nullable XSSFComment comment) {
            int column = reference == null ? next : new CellReference(reference).getCol();
            while (next < Math.min(column, MOST_LEFT_OUT)) {
                write("\t");
                next++;
            }
            next++;
            write(value == null ? "\t" : line(value) + "\t");
        }

        private static String line(String value) {
            return value.replace('\t', ' ').replace('\r', ' ').replace('\n', ' ');
        }

        private void write(String fragment) {
            try {
                text.write(fragment);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}
