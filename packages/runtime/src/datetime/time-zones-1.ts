// Made by scripts/generate-time-zones.mjs from version 2026d of the IANA time zone database,
// which is in the public domain.

export const TIME_ZONES_1: string =
  'Africa/Abidjan Iceland Africa/Accra Africa/Bamako Africa/Banjul Africa/Conakry Africa/Dakar Afri' +
  'ca/Freetown Africa/Lome Africa/Nouakchott Africa/Ouagadougou Atlantic/Reykjavik Atlantic/St_Hele' +
  'na Africa/Timbuktu|-968 LMT,0 GMT|.-u9rgl4B|GMT0;Africa/Algiers|732 LMT,561 PMT,0 WET,3600 WEST,' +
  '3600 CET,7200 CEST|.-154gb8cB.afgo4rC.2qx1nlD3d40C5dc0D62w0C4q00D6ig0C4i80D6q80C42o0D7s00C4ds0D3' +
  '200C5pfk0D23loC30zcE1a9icF5sucE5floF55goEbww0C2wyxoE298ecC2ik00D4r40C1r7loD56mcE4r5oF5m9oEcb8oC5' +
  'm9oD5u1oC5m6cE|CET-1;Africa/Bissau|-3740 LMT,-3600 -01,0 GMT|-i5uucBjq7s0C|GMT0;Africa/Cairo Egy' +
  'pt|7509 LMT,7200 EET,10800 EEST|.-1054wglB.krj48lC2emcB61toC4r2cB62xoC6g6cB4tdoC6lqcB4oxoC6lqcB5' +
  '4hoC652cB3lvloC4fycB6jloC4pycB6jncC4oxoB6lqcC4oxoB6kmcC4oxoB6kmcC4oxoB6kmcC4oxoB6lqcC4oxoB6kmcC4' +
  'oxoB6kmcC4q1oB6jicC4q1oB6kmcC4q1oB6jicC4q1oB6jicC4q1oB6jicC4q1oB6kmcC4q1oB6jicC4q1oB6jicC4q1oB6j' +
  'icC4q1oB6kmcC4q1oB6jicC4q1oB6jicC4q1oB6jicC4q1oB6kmcC4q1oB6jicC4q1oB95ycC23loB8ricC2i1oB6kmcC4q1' +
  'oB6jicC4q1oB6jicC4q1oB6jicC4q1oB6kmcC4q1oB6p2cC4khoB6jicC4q1oB6jicC4q1oB6kmcC4q1oB6jicC4q1oB6jic' +
  'C4q1oB6g4oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB' +
  '6p5oC4r2cB6hdoC4r2cB6hdoC4jacB6p5oC43qcB74poC3vycB7choC3o6cB7s1oC36ecBxdoCnacB14u1oC1amcB12xoC1q' +
  '6cB2oshoC|EET-2EEST,M4.5.5/0,M10.5.4/24;Africa/Casablanca|-1820 LMT,0 +00,3600 +01|.-tblt9gB.di7' +
  'nxgC23icB30xoC1slicB1ff5oC4bicB5731oC3oqcB23v5oC24mcBirloC2u6cB8fdoC4mmcB7ldoC1z2cB1raxoCk8ucB70' +
  'opoC2u6cB8fdoC2hycB7u9oC30ucB7choC3o6cB8fh0C2j40Byg0C19k0B6hc0C25s0B11s0C2eo0B4r40C2s00B12w0C2mg' +
  '0B4r40C2dk0B12w0C30w0B4r40C25s0B12w0C3gg0B4jc0C1q80B1ao0C3o80B4jc0C1ig0B12w0C9xs0B12w0C9q00B1ao0' +
  'C9q00B12w0C9q00B1ao0C9q00B12w0C9xs0B12w0C9q00B1ao0C9q00B12w0C5m6cB|<+00>0;Africa/Ceuta|-1276 LMT' +
  ',0 WET,3600 WEST,3600 CET,7200 CEST|-llu80B5fiucC4r2cB1qa9oC5a1oBha6cC56poB5tycC5ehoB61s0C5eg0Bc' +
  '3r80C3oqcB23v5oC24mcBirloC2u6cB8fdoC4mmcB7ldoC1z2cB1raxoDmypoE5m80D5m80E5m80D5m80E5m80D5m80E5m80' +
  'D5m80E5u00D5m80E5m80D5m80E5m80D5m80E5m80D5m80E5m80D5m80E5m80D5u00E|CET-1CEST,M3.5.0,M10.5.0/3;Af' +
  'rica/El_Aaiun|-3168 LMT,-3600 -01,0 +00,3600 +01|.-isdxk0B.m2g0c0CiucD2u6cC8fdoD4mmcC7ldoD1z2cC9' +
  'c8hoD2u6cC8fdoD2hycC7u9oD30ucC7choD3o6cC8fh0D2j40Cyg0D19k0C6hc0D25s0C11s0D2eo0C4r40D2s00C12w0D2m' +
  'g0C4r40D2dk0C12w0D30w0C4r40D25s0C12w0D3gg0C4jc0D1q80C1ao0D3o80C4jc0D1ig0C12w0D9xs0C12w0D9q00C1ao' +
  '0D9q00C12w0D9q00C1ao0D9q00C12w0D9xs0C12w0D9q00C1ao0D9q00C12w0D5m6cC|<+00>0;Africa/Johannesburg A' +
  'frica/Maseru Africa/Mbabane|6720 LMT,5400 SAST,7200 SAST,10800 SAST|-oe4b4B3gmomCcdxeiD5m6cC5m9o' +
  'D5m6cC|SAST-2;Africa/Juba|7588 LMT,7200 CAT,10800 CAST,10800 EAT|.-kcrsisB.kixuysC55icB62xoC56mc' +
  'B641oC56mcB61toC57qcB60poC58ucB5zloC59ycB5yhoC5c6cB5w9oC5dacB62xoC56mcB61toC57qcB60poC59ycB5yhoC' +
  '5b2cB5xdoC5c6cB5w9oC5dacB62xoC57qcB60poC58ucB4gnxoD6l9mcB|CAT-2;Africa/Khartoum|7808 LMT,7200 CA' +
  'T,10800 CAST,10800 EAT|.-kcrsowB.kixv4wC55icB62xoC56mcB641oC56mcB61toC57qcB60poC58ucB5zloC59ycB5' +
  'yhoC5c6cB5w9oC5dacB62xoC56mcB61toC57qcB60poC59ycB5yhoC5b2cB5xdoC5c6cB5w9oC5dacB62xoC57qcB60poC58' +
  'ucB4gnxoD5klmcB|CAT-2;Africa/Lagos Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshas' +
  'a Africa/Libreville Africa/Luanda Africa/Malabo Africa/Niamey Africa/Porto-Novo|815 LMT,0 GMT,18' +
  '00 +0030,3600 WAT|.-xnxnanB.1kdnanA.2ve7ddC.2yfgknD|WAT-1;Africa/Maputo Africa/Blantyre Africa/B' +
  'ujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi Africa/Lusaka|7818 LMT,72' +
  '00 CAT|.-vu3fd6B|CAT-2;Africa/Monrovia|-2588 LMT,-2588 MMT,-2670 MMT,0 GMT|.-19xcbc4Bbmw00C.rl20' +
  '2aD|GMT0;Africa/Nairobi Africa/Addis_Ababa Africa/Asmara Africa/Dar_es_Salaam Africa/Djibouti Af' +
  'rica/Kampala Africa/Mogadishu Indian/Antananarivo Indian/Comoro Indian/Mayotte Africa/Asmera|883' +
  '6 LMT,9000 +0230,10800 EAT,9900 +0245|.-w6p5hgB.aiwqjgCh2f6B26souD1qwflC|EAT-3;Africa/Ndjamena|3' +
  '612 LMT,3600 WAT,7200 WAST|.-u9rk4cB.zdk5ccC4i6cB|WAT-1;Africa/Sao_Tome|1616 LMT,-2205 LMT,0 GMT' +
  ',3600 WAT|.-18vsjwwB.em12kwCx6yxoDb9k0C|GMT0;Africa/Tripoli Libya|3164 LMT,3600 CET,7200 CEST,72' +
  '00 EET|.-q3gfrwB.gl6ajwC2fn0Bjz10C2l70BjntoC2vacBxttoD77aecB2s1oC5nacB5m9oC5nacB5ndoC5nacB5rtoC5' +
  'hqcB5ploC5m6cB5k1oC5nacB5ndoC5nacB5m9oC5nacB6mxoD2092cB5qpoC5nacD4q8zcB4ag0C6hc0D|EET-2;Africa/T' +
  'unis|2444 LMT,561 PMT,3600 CET,7200 CEST|.-1a9dr7wB.fke44bC.enxevlD6p40C3200Di5c0C4r5oD7cjcC4jc0' +
  'Dl2cC8xoD4zycC5m9oD5sr0C5fp0D55f0C9wg9oD4jc0C6rc0D4q00C30zc0D3kw0C5m80D5m80C6rc0D4ow0C4kew0D4oxo' +
  'C5gpoD6p40C4jc0D6p40C4r40D6hc0C|CET-1;Africa/Windhoek|4104 LMT,5400 +0130,7200 SAST,10800 SAST,7' +
  '200 CAT,3600 WAT|.-14nj4i0B.5rpr00CcdxeiD5m6cCepuecE193c0F55p0E6hacF4r5oE6p2cF4jdoE6p2cF4r5oE6ha' +
  'cF4r5oE6hacF4r5oE6hacF4r5oE6hacF4r5oE6p2cF4jdoE6p2cF4r5oE6hacF4r5oE6hacF4r5oE6hacF4r5oE6hacF4r5o' +
  'E6p2cF4r5oE6hacF4r5oE6hacF4r5oE6hacF4r5oE6hacF4r5oE6p2cF4jdoE6p2cF4r5oE6hacF4r5oE6hacF4r5oE6hacF' +
  '4r5oE|CAT-2;America/Adak US/Aleutian America/Atka|44002 LMT,-42398 LMT,-39600 NST,-36000 NWT,-36' +
  '000 NPT,-39600 BST,-36000 BDT,-36000 AHST,-36000 HST,-32400 HDT|.-1hc7qjzB.h4z1xpC.ln70qaD13kwoE' +
  '1fpoC6qdicFnd7cG5m6cF5m9oG5m6cF5m9oG5tycF5m9oG5m6cF5m9oG5m6cF25toG92mcF3o9oG7k6cF5m9oG5tycF5ehoG' +
  '5tycF5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5tycF5ehoG5tycHycoI4nvcJ5m6cI5m9oJ5m6cI5m9oJ5m' +
  '6cI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yx' +
  'oJ69icI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4r5oJ6hac' +
  'I4r5oJ6hacI43toJ|HST10HDT,M3.2.0,M11.1.0;America/Anchorage US/Alaska|50424 LMT,-35976 LMT,-36000' +
  ' AST,-32400 AWT,-32400 APT,-36000 AHST,-32400 AHDT,-32400 YST,-32400 AKST,-28800 AKDT|.-1hc7qjzB' +
  '.h4ywzbC.ln72woD13kycE1fo0C6qdicFnd7cG5m6cF5m9oG5m6cF5m9oG5tycF5m9oG5m6cF5m9oG5m6cF25toG92mcF3o9' +
  'oG7k6cF5m9oG5tycF5ehoG5tycF5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5tycF5ehoG5tycHycoI4nvcJ' +
  '5m6cI5m9oJ5m6cI5m9oJ5m6cI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4' +
  'r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69' +
  'icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI43toJ|AKST9AKDT,M3.2.0,M11.1.0;America/Araguaina|-11568 LMT,-10' +
  '800 -03,-7200 -02|.-t85j2oB.99k8moC5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9o' +
  'C2k6cBaddoC1ticB7k9oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB7s1oC38mcB7ztoC3o6c' +
  'B1ry9oC3o6cB7choC43qcB75toC4i6cB6wxoC43qcB6wxoC4jacB6wxoC43qcB7choC3vycB7ztoC38mcB313toC3o6cB|<-' +
  '03>3;America/Argentina/Buenos_Aires America/Buenos_Aires|-14028 LMT,-15408 CMT,-14400 -04,-10800' +
  ' -03,-7200 -02|.-138aaicB7zfsnC.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k' +
  '9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD48' +
  '6cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicD74poE43qcD74poE4' +
  '3qcD74poE4bicD4n09oE2dicD6p5oE4jacD|<-03>3;America/Argentina/Catamarca America/Catamarca America' +
  '/Argentina/ComodRivadavia|-15788 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -02|.-138a95gB.db2ad' +
  'gC.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7' +
  'k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5' +
  'tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicD74poE43qcC74rcE43ooD74poE4bicD3io1oCl5oD13r2c' +
  'E2dicD|<-03>3;America/Argentina/Cordoba America/Cordoba America/Rosario|-15408 LMT,-15408 CMT,-1' +
  '4400 -04,-10800 -03,-7200 -02|.-138a9g0B7zfs0C.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3p' +
  'acC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2b' +
  'doD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicD7' +
  '4poE43qcC74rcE43ooD74poE4bicD4n09oE2dicD6p5oE4jacD|<-03>3;America/Argentina/Jujuy America/Jujuy|' +
  '-15672 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -02|.-138a98oB.db2agoC.5iv8k0D3qecC62xoD49acC7' +
  'k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7' +
  'qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE3' +
  '0ucD4kg1oE2wecD6wxoE4bicC7cjcD4bicC69loE4j8oD74poE4bicD4n09oE2dicD|<-03>3;America/Argentina/La_R' +
  'ioja|-16044 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -02|.-138a8ycB.db2a6cC.5iv8k0D3qecC62xoD4' +
  '9acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3r' +
  'loDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1c' +
  'hicE30ucD4kg1oE2wecD6wxoE4bicD74poE41icC22jcD54ecE43qcD74poE4bicD3io1oCl5oD13r2cE2dicD|<-03>3;Am' +
  'erica/Argentina/Mendoza America/Mendoza|-16516 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -02|.-' +
  '138a8l8B.db29t8C.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3p' +
  'acC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD486cC71' +
  'doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicC6y3cD486cC71doD49acC74poE4bgoD3' +
  'ie1oC3w1oD10q6cE2dicD|<-03>3;America/Argentina/Rio_Gallegos|-16612 LMT,-15408 CMT,-14400 -04,-10' +
  '800 -03,-7200 -02|.-138a8ikB.db29qkC.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3q' +
  'ecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71' +
  'doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicD74poE43qcD7' +
  '4poE43qcD74poE4bicD3io1oCl5oD13r2cE2dicD|<-03>3;America/Argentina/Salta|-15700 LMT,-15408 CMT,-1' +
  '4400 -04,-10800 -03,-7200 -02|.-138a97wB.db2afwC.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD' +
  '3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC' +
  '2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bic' +
  'D74poE43qcC74rcE43ooD74poE4bicD4n09oE2dicD|<-03>3;America/Argentina/San_Juan|-16444 LMT,-15408 C' +
  'MT,-14400 -04,-10800 -03,-7200 -02|.-138a8n8B.db29v8C.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC' +
  '7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5' +
  'bmucC2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxo' +
  'E4bicD74poE41icC22jcD54ecE43qcD74poE4bicD3imxoC1p5oD12o6cE2dicD|<-03>3;America/Argentina/San_Lui' +
  's|-15924 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -02|.-138a91oB.db2a9oC.5iv8k0D3qecC62xoD49ac' +
  'C7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloD' +
  'k7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chic' +
  'E30ucD4kg1oE2wecD6wxoE4mmcC6mzcD486cC2u9oD42jicC1p5oD12o6cEoecD1hdoC6p5oD4jacC6p5oD|<-03>3;Ameri' +
  'ca/Argentina/Tucuman|-15652 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -02|.-138a998B.db2ah8C.5i' +
  'v8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3' +
  'qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD486cC71doD57qcC5m9oD5tycC5' +
  'm9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicD74poE43qcC74rcE43ooD74poE4bicD3io1oCddoD13yucE2dic' +
  'D6p5oE4jacD|<-03>3;America/Argentina/Ushuaia|-16392 LMT,-15408 CMT,-14400 -04,-10800 -03,-7200 -' +
  '02|.-138a8ooB.db29woC.5iv8k0D3qecC62xoD49acC7k9oD3pacC7k9oD3pacC7k9oD3pacC7k9oD3qecC7k9oD3pacC7k' +
  '9oD3pacC7k9oD3pacC7k9oD3qecC3rloDarqcC3rloDk7qcC2bdoDqsecC6ltoD5bmucC2bdoD2dicC71doD486cC71doD48' +
  '6cC71doD57qcC5m9oD5tycC5m9oD5m6cC5m9oD1chicE30ucD4kg1oE2wecD6wxoE4bicD74poE43qcD74poE43qcD74poE4' +
  'bicD3iltoCndoD13r2cE2dicD|<-03>3;America/Asuncion|-13840 LMT,-13840 AMT,-14400 -04,-10800 -03|.-' +
  '15r0ynkBd2v40C.ldwofkDgvqcCgwxoD4oucC6ltoD4nqcC6ltoD4nqcC6ltoD5m6cC5ndoD5nacC5ndoD5m6cC5ndoD5m6c' +
  'C5ndoD5m6cC5ndoD5nacC5ndoD5m6cC5ndoD5m6cC5ndoD5m6cC5ndoD5nacC5ndoD5m6cC6apoD4yucC5ndoD5m6cC5sxoD' +
  '4jacC6q9oD5gmcC5ohoD4licC6o1oD4kecC6p5oD4oucC6rdoD4bicC6wxoD4jacC6p5oD4r2cC6hdoD4r2cC6hdoD4r2cC6' +
  'p5oD5m6cC4jdoD6p2cC4r5oD6hacC61toD4jacC6p5oD4jacC6p5oD4jacC6wxoD4bicC6wxoD4bicC6wxoD5eecC5ehoD5t' +
  'ycC5ehoD5tycC5m9oD56mcC61toD56mcC61toD56mcC61toD5eecC5u1oD5eecC5u1oD5eecC61toD56mcC61toD56mcC61t' +
  'oD5eecC5u1oD5eecC5u1oD5eecC5u1oD5eecC61toD|<-03>3;America/Bahia|-9244 LMT,-10800 -03,-7200 -02|.' +
  '-t85kv8B.99kaf8C5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB7k9' +
  'oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB7s1oC38mcB7ztoC3o6cB7s1oC3o6cB7k9oC3ge' +
  'cB7ztoC30ucB7ztoC3vycB7choC3vycB7choC3o6cB7choC43qcB75toC4i6cB6wxoC43qcB6wxoC4jacB6wxoC43qcB7cho' +
  'C3vycB7ztoC38mcB2pnloC43qcB|<-03>3;America/Bahia_Banderas|-25260 LMT,-25200 MST,-21600 CST,-2160' +
  '0 MDT,-18000 CDT|-f13ocB1pao0C12pacB54hoD4r2cB5ndoC35facBgw8t0D69icB4yxoD69icB4yxoD69icB4yxoD6ha' +
  'cB4r5oD6hacB5u1oD4jacB5u1oD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxo' +
  'D69icB4yxoE6h8oC4r5oE6hacC4r5oE6hacC4yxoE69icC4yxoE69icC4yxoE69icC4yxoE6hacC4r5oE6hacC4r5oE6hacC' +
  '4yxoE69icC4yxoE69icC4yxoE6hacC4r5oE6hacC|CST6;America/Barbados|-14309 LMT,-14400 AST,-10800 ADT,' +
  '-12600 -0330|.-ug8iajB.fzq06jC44xoB7j2cC3w1oB6q6cD4q1oBa9880C3gecB61toC56mcB61toC56mcB69loC4vicB' +
  '|AST4;America/Belem|-11636 LMT,-10800 -03,-7200 -02|.-t85j0sB.99k8ksC5kk0B5ploC5jycB57whoC4740B7' +
  '2g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB7k9oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC' +
  '3gecB7t5oC38mcB|<-03>3;America/Belize|-21168 LMT,-21600 CST,-19800 -0530,-18000 CWT,-18000 CPT,-' +
  '18000 CDT|.-u52ic0B.3edkc0C3vz6B7cguC43r6B74ouC43r6B74ouC43r6B7cguC3vz6B7cguC3vz6B7cguC43r6B74ou' +
  'C43r6B74ouC43r6B74ouC43r6B7cguC3vz6B7cguC3vz6B7cguC43r6B74ouC43r6B74ouC43r6B7cguC3vz6B7cguC3vz6B' +
  '7cguC3vz6B7cguC43r6B74ouC43r6B74ouC43r6B7cguC3vz6B7cguC3vz6B7cguC43r6B43suDzascE3sy0Bkb5oC43r6B7' +
  '4ouC43r6B74ouC43r6B7cguC3vz6B7cguC3vz6B7cguC43r6B74ouC43r6B74ouC43r6B74ouC43r6B7cguC3vz6B7cguC3v' +
  'z6B7cguC43r6B74ouC43r6B74ouC43r6B7cguC3vz6B7cguC3vz6B7cguC3vz6B7cguC43r6B74ouC43r6B74ouC43r6B7cg' +
  'uC3vz6B1tk0uF21acB2rtdoF1q6cB|CST6;America/Boa_Vista|-14560 LMT,-14400 -04,-10800 -03|.-t85grkB.' +
  '99k93kC5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB7k9oC2rycB7k' +
  '9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB3ncxoC4jacB6wxoC7qcB|<-04>4;America/Bogota|-177' +
  '76 LMT,-17776 BMT,-18000 -05,-14400 -04|.-18s2sy8B9m0o0C.14ezmu8D8o6cC|<-05>5;America/Boise|-278' +
  '89 LMT,-28800 PST,-25200 PDT,-25200 MST,-21600 MWT,-21600 MPT,-21600 MDT|-qyt2oBard3cC6hacB4r5oC' +
  '6hacB13yxoD5vbqcE13l3cF1fj0D6r9toG5m6cD5m9oG5m6cD5m9oG5m6cD5m9oG5m6cD5m9oG5tycD5m9oG5m6cD5m9oG5m' +
  '6cD30xoG87icD3o9oG7k6cD5m9oG5tycD5ehoG5tycD5m9oG5m6cD5m9oG5m6cD5m9oG5m6cD5m9oG5m6cD5m9oG5tycD5eh' +
  'oG5tycD5m9oG5m6cD5m9oG5m6cD5m9oG5m6cD4yxoG69icD4yxoG6hacD4r5oG6hacD4r5oG6hacD4yxoG69icD4yxoG69ic' +
  'D4yxoG6hacD4r5oG6hacD4r5oG6hacD4yxoG69icD4yxoG69icD4yxoG69icD4yxoG6hacD4r5oG6hacD4r5oG6hacD4yxoG' +
  '69icD4yxoG69icD4yxoG6hacD4r5oG6hacD4r5oG6hacD43toG|MST7MDT,M3.2.0,M11.1.0;America/Cambridge_Bay|' +
  '0 -00,-25200 MST,-21600 MWT,-21600 MPT,-21600 MDT,-21600 CST,-18000 CDT,-18000 EST|-fno80B6x8n0C' +
  '13l3cD1fj0B8bntoE5m6cB5m9oE5m6cB5m9oE5m6cB5m9oE5m6cB5m9oE5tycB5ehoE5tycB5m9oE5m6cB5m9oE5m6cB5m9o' +
  'E5m6cB5m9oE5m6cB5m9oE5tycB5ehoE5tycB5m9oE5m6cB5m9oE5m6cB5m9oE5m6cB4yxoE69icB4yxoE6hacB4r5oE6hacB' +
  '4r5oE6hacB4yxoE69icB4yxoE69icB4yxoE6hacB4r5oE6hacB4r5oE6hacB4yxoE69icB4yxoE69icB4yxoE69icB4yxoE6' +
  'hacF4r40G6hacH7ooF4jioE6hacB4yxoE69icB4yxoE69icB4yxoE6hacB4r5oE6hacB4r5oE6hacB43toE|MST7MDT,M3.2' +
  '.0,M11.1.0;America/Campo_Grande|-13108 LMT,-14400 -04,-10800 -03|.-t85hvwB.99ka7wC5kk0B5ploC5jyc' +
  'B57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB7k9oC2rycB7k9oC3pacB7k9oC3qecB5j8' +
  '9oC43qcB6wxoC3gecB7t5oC38mcB7s1oC38mcB7ztoC3o6cB7s1oC3o6cB7k9oC3gecB7ztoC30ucB7ztoC3vycB7choC3vy' +
  'cB7choC3o6cB7choC43qcB75toC4i6cB6wxoC43qcB6wxoC4jacB6wxoC43qcB7choC3vycB7ztoC38mcB7k9oC3o6cB821o' +
  'C3e6cB7choC3vycB7ztoC3gecB74poC3vycB7k9oC3o6cB7k9oC3vycB7choC3vycB7choC43qcB7choC3o6cB7k9oC3o6cB' +
  '7k9oC3vycB7choC3vycB7choC3vycB7choC3vycB7ztoC38mcB|<-04>4;America/Cancun|-20824 LMT,-21600 CST,-' +
  '18000 EST,-18000 CDT,-14400 EDT|-f13q0Bis7fcCbjf0B45g50D69icB4yxoD69icC4yw0E3o6cD2ldoB4yxoD6hacB' +
  '4r5oD6hacB5u1oD4jacB5u1oD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD6' +
  '9icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB30xoC|EST5;America/Caracas|-16064 LMT,-160' +
  '60 CMT,-16200 -0430,-14400 -04|.-15r0wxsB.bjfjzwC.rlo83wDdg0k6C2mmo0D|<-04>4;America/Cayenne|-12' +
  '560 LMT,-14400 -04,-10800 -03|.-uj7yb4B.tcw6r4C|<-03>3;America/Chicago US/Central|-21036 LMT,-21' +
  '600 CST,-18000 CDT,-18000 EST,-18000 CWT,-18000 CPT|-qyt60Bard3cC6hacB4r5oC6hacB74poC4bicB4jdoC6' +
  'p2cB5m9oC4jacB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6h' +
  'doC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r2cB6hdoC4r2cB4r5oD7zqcB4yxoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r2' +
  'cB6hdoC4r2cB44xoE13l50F1fhcB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r2cB6hdoC4r2' +
  'cB6hdoC4r2cB6hdoC4r2cB6hdoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC5m6cB5m9o' +
  'C5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB' +
  '5m9oC5m6cB5m9oC5m6cB25toC92mcB3o9oC7k6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5' +
  'm6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4y' +
  'xoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6ha' +
  'cB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB43toC|CST6CDT,M3.2.0,M11.1.0;Ameri' +
  'ca/Chihuahua|-25460 LMT,-25200 MST,-21600 CST,-21600 MDT,-18000 CDT|-f13ocB1pao0C12pacB54hoD4r2c' +
  'B5ndoCk1o1oE69icC4yxoE69icC4yzcD69icB4yxoD6hacB4r5oD6hacB5u1oD4jacB5u1oD69icB4yxoD69icB4yxoD6hac' +
  'B4r5oD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD' +
  '69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacC|CST6;Ameri' +
  'ca/Ciudad_Juarez|-25556 LMT,-25200 MST,-21600 CST,-21600 MDT,-18000 CDT|-f13ocB1pao0C12pacB54hoD' +
  '4r2cB5ndoCk1o1oE69icC4yxoE69icC4yzcD69icB4yxoD6hacB4r5oD6hacB5u1oD4jacB5u1oD69icB4yxoD69icB4yxoD' +
  '6hacB4r5oD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4bloD7cecB3w1oD7cecB3w1oD7cecB3w1oD7cecB3' +
  'w1oD7cecB3w1oD7cecB43toD7cecB3w1oD7cecB3w1oD7cecB3w1oD7cecB3w1oD7cecB43toD7cecB3w1oD74mcCycoB|MS' +
  'T7MDT,M3.2.0,M11.1.0;America/Costa_Rica|-20173 LMT,-20173 SJMT,-21600 CST,-18000 CDT|.-15r0trnB9' +
  'pvk0C.ubtl3nD30ucC87loD30ucC3bvloD512cC67doD1racC|CST6;America/Coyhaique|-17296 LMT,-16965 SMT,-' +
  '18000 -05,-14400 -04,-10800 -03|.-15r0vzkB.ag6l2tC.3dlssrB.157b79D.f4e0rB.49hzb9D.aye0rC4q1oD6ji' +
  'cC4q1oD6jicC4q1oD6jicC4q1oD6kmcC4q1oD31vicC1vtoD1glacC1ko0D6puo0E4jacD7choE3vycD61toE4r2cD6hdoE4' +
  'r2cD6p5oE4jacD69loE4yucD6p5oE4jacD6p5oE4r2cD6hdoE4r2cD6hdoE4r2cD6p5oE4jacD6p5oE4jacD6p5oE4r2cD6h' +
  'doE4r2cD6hdoE4r2cD6hdoE4r2cD6p5oE4jacD6p5oE4jacD6p5oE5m6cD5m9oE4r2cD6hdoE4r2cD6p5oE4jacD5u1oE5ee' +
  'cD6p5oE4r2cD6hdoE4r2cD6hdoE4r2cD6hdoE4r2cD6p5oE4jacD6p5oE56mcD61toE4r2cD61toE5tycD5u1oE4r2cD6p5o' +
  'E4jacD6p5oE4jacD6p5oE4jacD6p5oE4r2cD6hdoE4r2cD6hdoE4r2cD6p5oE4jacD6p5oE56mcD61toE4r2cD6hdoE5eecD' +
  '5u1oE6hacD38poE7rycD3w1oE7cecD43toE74mcD43toEj0ecD2t5oE8facD2t5oE8facD2t5oE7cecD4r5oE6hacD4r5oE6' +
  'hacD4r5oE6hacD4yxoE69icD4r5oE6p2cD4r5oE|<-03>3;America/Cuiaba|-13460 LMT,-14400 -04,-10800 -03|.' +
  '-t85hm4B.99k9y4C5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB7k9' +
  'oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB7s1oC38mcB7ztoC3o6cB7s1oC3o6cB7k9oC3ge' +
  'cB7ztoC30ucB7ztoC3vycB7choC3vycB7choC3o6cB7choC43qcB75toC4i6cB6wxoC43qcB6wxoC4jacB6wxoC43qcB7cho' +
  'C3vycB7ztoC38mcBjahoC3e6cB7choC3vycB7ztoC3gecB74poC3vycB7k9oC3o6cB7k9oC3vycB7choC3vycB7choC43qcB' +
  '7choC3o6cB7k9oC3o6cB7k9oC3vycB7choC3vycB7choC3vycB7choC3vycB7ztoC38mcB|<-04>4;America/Danmarksha' +
  'vn|-4480 LMT,-10800 -03,-7200 -02,0 GMT|.-rvusjkB.x8nx3kC5e9cB5m80C5m80B5m80C5m80B5m80C5m80B5m80' +
  'C5u00B5m80C5m80B5m80C5m80B5m80C5m80B5m80C5m80B5m80C5m80B5m80C5u00B5m80C5m80B5m80C5m80B5m80C5m80B' +
  '5m80C5m80B5m80C5m80B323cD|GMT0;America/Dawson|-33460 LMT,-32400 YST,-28800 YDT,-28800 YWT,-28800' +
  ' YPT,-25200 YDDT,-28800 PST,-25200 PDT,-25200 MST|.-1079sukB.97l62kC61qcB6hdoC4xn0B6z450D13l00E1' +
  'fmcB64l2cF5u00B2i3c0G218poH5m6cG5m9oH5m6cG5m9oH5tycG5ehoH5tycG5m9oH5m6cG5m9oH5m6cG5m9oH5m6cG4yxo' +
  'H69icG4yxoH6hacG4r5oH6hacG4r5oH6hacG4yxoH69icG4yxoH69icG4yxoH6hacG4r5oH6hacG4r5oH6hacG4yxoH69icG' +
  '4yxoH69icG4yxoH69icG4yxoH6hacG4r5oH6hacG4r5oH6hacG4yxoH69icG4yxoH69icG4yxoH6hacG4r5oH6hacG4r5oH6' +
  'hacG43toH7cecG3w1oH7cecG3w1oH7cecG43toH7cecG3w1oH7cecG3w1oH7cecG3w1oH7cecG3w1oH7cecG3w1oH7cecG43' +
  'toH7cecG3w1oH7cecG3w1oH7cecG3w1oH7cecG3w1oH7cb0I|MST7;America/Dawson_Creek|-28856 LMT,-28800 PST' +
  ',-25200 PDT,-25200 PWT,-25200 PPT,-25200 MST|.-18vrwegB.hw36ugC61qcB7aj5oD13l1oE1fkoBhptoC4r2cB6' +
  'hdoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4r2cB6hdoC4r' +
  '2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9' +
  'oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC3ricF|MST7;America/Denver Navajo US/Mountain' +
  ' America/Shiprock|-25196 LMT,-25200 MST,-21600 MDT,-21600 MWT,-21600 MPT|-qyt4cBard3cC6hacB4r5oC' +
  '6hacB4r5oC6p2cB4jdoC1q6cB6hkxoD13l3cE1fj0B64l5oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9' +
  'oC5m6cB5m9oC5tycB5m9oC5m6cB5m9oC5m6cB25toC92mcB3o9oC7k6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6c' +
  'B5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC' +
  '6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4' +
  'yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB43toC|MST7MDT,M3.' +
  '2.0,M11.1.0;America/Detroit US/Michigan|-19931 LMT,-21600 CST,-18000 EST,-14400 EWT,-14400 EPT,-' +
  '14400 EDT|.-xx8dydB.5eraudC8dg6cD13l6oE1ffoCsy9oF4r2cC5uyedF489nC5m9oF5m6cC1ertoF5m6cC25toF92mcC' +
  '5m9oF5m6cC5m9oF5tycC5ehoF5tycC5m9oF5m6cC5m9oF5m6cC5m9oF5m6cC5m9oF5m6cC5m9oF5tycC5ehoF5tycC5m9oF5' +
  'm6cC5m9oF5m6cC5m9oF5m6cC4yxoF69icC4yxoF6hacC4r5oF6hacC4r5oF6hacC4yxoF69icC4yxoF69icC4yxoF6hacC4r' +
  '5oF6hacC4r5oF6hacC4yxoF69icC4yxoF69icC4yxoF69icC4yxoF6hacC4r5oF6hacC4r5oF6hacC4yxoF69icC4yxoF69i' +
  'cC4yxoF6hacC4r5oF6hacC4r5oF6hacC43toF|EST5EDT,M3.2.0,M11.1.0;America/Edmonton Canada/Mountain Am' +
  'erica/Yellowknife|-27232 LMT,-25200 MST,-21600 MDT,-21600 MWT,-21600 MPT,-21600 CST|.-x1yazkB.62' +
  '9inkC61qcB56poC1cucBab5oC5tycB5ehoC4r2cB6p5oC4jacB6p5oC4r2cB5r09oD13l3cE1fj0BhptoC4r2cB7p6xoC5m6' +
  'cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9o' +
  'C5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB' +
  '4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6' +
  'hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB43toC7cecB3w1oC7cecB3w1oC7cecB43toC7cecB3w' +
  '1oC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB43toC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB3w1oC7ce' +
  'cB43toC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecF|CST6;America/Eirunepe|-16768 LMT,' +
  '-18000 -05,-14400 -04|.-t85f28B.99ka68C5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3' +
  'dg9oC2k6cBaddoC1ticB7k9oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB1s61oC3vycB4ho1' +
  'oC1onacB|<-05>5;America/El_Salvador|-21408 LMT,-21600 CST,-18000 CDT|.-pkm4tcB.ymao5cC4jacB6p5oC' +
  '4jacB|CST6;America/Fort_Nelson|-29447 LMT,-28800 PST,-25200 PDT,-25200 PWT,-25200 PPT,-25200 MST' +
  '|.-18vrvy1B.hw36e1C61qcB7aj5oD13l1oE1fkoBhptoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r2cB6hdoC' +
  '4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4jacB6' +
  'p5oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5t' +
  'ycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9' +
  'oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hac' +
  'B4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC' +
  '6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB43toC7cecB3w1oC7cecB3w1oC7cecB4' +
  '3toC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB3w1oC7cecB3w1oF|MST7;America/Fortaleza|-9240 LMT,-10800 -' +
  '03,-7200 -02|-hjajqB5k4z2C5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBadd' +
  'oC1ticB7k9oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB7s1oC38mcB7ztoC3o6cB30o9oC4j' +
  'acB6wxoCficBb0poC3vycB|<-03>3;America/Glace_Bay|-14388 LMT,-14400 AST,-10800 ADT,-10800 AWT,-108' +
  '00 APT|.-z94kwcB.89fk8cC61qcB7aj5oD13l8cE1fe0B2dc9oC4r2cB5tkhoC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6' +
  'cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9o' +
  'C5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB' +
  '4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6' +
  'hacB4r5oC6hacB4r5oC6hacB43toC|AST4ADT,M3.2.0,M11.1.0;America/Goose_Bay|-14500 LMT,-12652 NST,-90' +
  '52 NDT,-12600 NST,-9000 NDT,-9000 NWT,-9000 NPT,-14400 AST,-10800 ADT,-7200 ADDT|.-18vs7h8B.hw35' +
  'goC61qcB554ecD.kzjykE4jacD6p5oE4jacD6p5oE4jacD6wxoE4bicD6wxoE4jacD6p5oE4jacD6p5oF10s8iG1fd6D6wxo' +
  'E4jacD6p5oE4jacD6p5oE4jacD6p5oE4jacD6wxoE4jacD69loE4r2cD6hdoE4r2cD6hdoE4r2cD6hdoE4r2cD6hdoE4r2cD' +
  '6p5oE4r2cD6hdoE4r2cD6hdoE4r2cD6hdoE4r2cD6hdoE5tycD5m9oE5m6cD5m9oE5m6cD5m9oE5m6cD5m9oE5m6cD5m9oE5' +
  'tycD461oH18guI5tycH5m9oI5m6cH5m9oI5m6cH5m9oI5m6cH5m9oI5m6cH5m9oI5tycH5m9oI5m6cH5m9oI5m6cH5m9oI5m' +
  '6cH5m9oI5m6cH5m9oI5tycH5ehoI5tycH5m9oI5m6cH5m9oI5m6cH5m9oI5m6cH5m9oI5m6cH5m9oI5tycH5ehoI5tycH5m9' +
  'oI5m6cH5m9oI5m6cH5m9oI5m6cH4yudI69icH4yxoJ6h8oH4r7cI6hacH4r5oI6hacH4yxoI69icH4yxoI69icH4yxoI6hac' +
  'H4r5oI6hacH4r5oI6hacH4yxoI69icH4yxoI69icH4yxoI69icH4yxoI6hacH4r5oI6hacH4r5oI6hacH4yxoI69icH4yxoI' +
  '69icH4yxoI6hacH4r5oI6hacH4r5oI6hacH43toI7cecH3w1oI7cecH3w1oI7cecH43toI7cecH3w1oI|AST4ADT,M3.2.0,' +
  'M11.1.0;America/Grand_Turk|-17072 LMT,-18430 KMT,-18000 EST,-14400 EDT,-14400 AST|.-15r0w5sB.biv' +
  '7pqC.z3brw2D5m6cC5m9oD5m6cC5m9oD5m6cC5m9oD5tycC5ehoD5tycC5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC4yxoD69ic' +
  'C4yxoD6hacC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD' +
  '69icC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC4' +
  '3toD7cecC3w1oD7cecC3w1oD7cecC43toD7cecC3w1oD7cecC3w1oD7cecC3w1oD7cecC3w1oD7cecC3w1oExx40D|EST5ED' +
  'T,M3.2.0,M11.1.0;America/Guatemala|-21724 LMT,-21600 CST,-18000 CDT|.-qqqskkB.ss0akkC2t2cB2w3toC' +
  '3tqcB2cjdoC56mcB4l3doC4r2cB|CST6;America/Guayaquil|-19160 LMT,-18840 QMT,-18000 -05,-14400 -04|.' +
  '-15r0ujsB.le9mf4CjdwfmD24mcC|<-05>5;America/Guyana|-13959 LMT,-14400 -04,-13500 -0345,-10800 -03' +
  '|.-uhmik9B.1va8c9Cix3zlD57t4fB|<-04>4;America/Halifax Canada/Atlantic|-15264 LMT,-14400 AST,-108' +
  '00 ADT,-10800 AWT,-10800 APT|.-z94k80B.777go0C5nacBhad0C61qcBha6cC3gecB7ptoC3ricB7bdoC3y6cB7i1oC' +
  '3qecB7i1oC44ucB73loC4kecB73loC3pacB73loC4kecB73loC3o6cB7k9oC3imcB7ptoC3x2cB7bdoC4cmcB6o1oC4kecB6' +
  'o1oC4s6cB73loC3o6cB7ztoC3pacB7k9oC38mcB73loC4kecB6o1oC4kecB7j5oC3pacB6vtoC4kecB6o1oC4kecB43x0D13' +
  'l8cE1fe0B6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cBhxloC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cBhxloC4r' +
  '2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cBt61oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9' +
  'oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tyc' +
  'B5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC' +
  '69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4' +
  'yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6h' +
  'acB43toC|AST4ADT,M3.2.0,M11.1.0;America/Havana Cuba|-19768 LMT,-19776 HMT,-18000 CST,-14400 CDT|' +
  '.-15r0u2wB.ijto08C.1icfyoD3ricC3n9loD2t2cC8fdoD30ucC8fdoD2t2cCuw9oD2t2cC8fdoD2t2cC5vcxoD3qecC7ft' +
  'oD3vycC5sxoD4s6cC6p5oD4jacC74poD5m6cC5m9oD5m6cC5m9oD5tycC5m9oD4yucC69loD4zycC68hoD512cC67doD5m6c' +
  'C5m9oD5tycC5ehoD5tycC5u1oD4r2cC4yxoD6hacC4r5oD6hacC6hdoD4r2cC6hdoD4r2cC6hdoD4r2cC6hdoD4yucC69loD' +
  '4yucC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD69icC5ehoD61qcC5ehoD5u00C5eg0D5u00C5eg0D5u00C5eg0D5u00C5' +
  'eg0D5u00C5m80D5m80C5m80D5u00C56o0D6hc0C4r40D6p40C4r40D6hc0C4r40D6hc0C4yw0D69k0C4yw0D69k0C4r40Dt6' +
  '00C43s0D74o0C4bk0D6ww0C43s0D74o0C4bk0D74o0C4bk0D7cg0C4bk0D6p40C|CST5CDT,M3.2.0/0,M11.1.0/1;Ameri' +
  'ca/Hermosillo|-26632 LMT,-25200 MST,-21600 CST,-21600 MDT|-f13ocB1pao0C12pacB54hoD4r2cB5ndoC35fa' +
  'cBgw8t0D69icB4yxoD69icB4yxoD69icB|MST7;America/Indiana/Indianapolis US/East-Indiana America/Indi' +
  'anapolis America/Fort_Wayne|-20678 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST,-1' +
  '4400 EDT|-qyt60Bard3cC6hacB4r5oC6hacB6s4xoC30ucB44xoD13l50E1fhcB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6h' +
  'doC4r2cB6p5oC4jacB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoFrfqcB6hdoF3g0ecG5m6cF5m9oG5m6cFb3' +
  'h5oG6hacF43toG|EST5EDT,M3.2.0,M11.1.0;America/Indiana/Knox US/Indiana-Starke America/Knox_IN|-20' +
  '790 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST|-qyt60Bard3cC6hacB4r5oC6hacB6zapo' +
  'D13l50E1fhcBhptoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdo' +
  'C5tycB5m9oC5m6cB5m9oC4r2cB6hdoC4r2cB6hdoC5m6cB5m9oC5tycB5m9oC5m6cB5m9oFgumcB13jdoC5m6cB5m9oC5m6c' +
  'B5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC5m6cB5m9oC5m6cB25toC92mcB3o9oC7k6cB5m9oC5tycB5ehoC5tycB5m9oC' +
  '5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4' +
  'yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icF4ioo0C6hc0B43toC|CST6CDT,M3.2.0,M11.1.0;America/Indiana/M' +
  'arengo|-20723 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qyt60Bard3c' +
  'C6hacB4r5oC6hacB6zapoD13l50E1fhcB1qvdoC4r2cBsy9oC4r2cB6hdoC4r2cB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6h' +
  'doC4r2cB6hdoC4r2cB6p5oF2i3acG5m6cF5m9oG5m6cF5m9oG5tycF5m9oG5m6cF5m9oG5m6cF25toC92o0F3o80G7k6cF9j' +
  '35oG6hacF43toG|EST5EDT,M3.2.0,M11.1.0;America/Indiana/Petersburg|-20947 LMT,-21600 CST,-18000 CD' +
  'T,-18000 CWT,-18000 CPT,-18000 EST|-qyt60Bard3cC6hacB4r5oC6hacB6zapoD13l50E1fhcB300ucC4jdoB6p5oC' +
  '4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oFh2ecB5' +
  'm9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC5m6cB5m9oC5m6cB25toC92mcB3o9oC7k6cB5m9oC5t' +
  'ycB5ehoC5tycF8weg0C6hc0B43toC7cecF|EST5EDT,M3.2.0,M11.1.0;America/Indiana/Tell_City|-20823 LMT,-' +
  '21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qyt60Bard3cC6hacB4r5oC6hacB6za' +
  'poD13l50E1fhcB300ucC4jdoB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC5m6cB5m9oC5m6cB5' +
  'm9oC5m6cB5m9oF13jacB5m9oC5m6cB5m9oG5m4oF5m9oG5m6cFb3h5oC6hc0B43toC|CST6CDT,M3.2.0,M11.1.0;Americ' +
  'a/Indiana/Vevay|-20416 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qy' +
  't60Bard3cC6hacB4r5oC6hacB6zapoD13l50E1fhcB2okpoF4p5ycG5m6cF5m9oG5m6cF5m9oG5tycF5m9oG5m6cFagshoG6' +
  'hacF43toG|EST5EDT,M3.2.0,M11.1.0;America/Indiana/Vincennes|-21007 LMT,-21600 CST,-18000 CDT,-180' +
  '00 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qyt60Bard3cC6hacB4r5oC6hacB6zapoD13l50E1fhcB6hdoC4r2cB2' +
  '23toC4r2cB6hdoC4r2cB6p2cC4jdoB6p5oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC5tycB5m9oC4jacB6p5oC5' +
  'm6cB5m9oC5m6cB5m9oF1kdycG5m6cF5m9oG5m6cFb3h5oC6hc0B43toC7cecF|EST5EDT,M3.2.0,M11.1.0;America/Ind' +
  'iana/Winamac|-20785 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qyt60' +
  'Bard3cC6hacB4r5oC6hacB6zapoD13l50E1fhcB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC4jacB6p5oC4r' +
  '2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC5tycB5m9oC5m6cB5m9oC4r2cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5' +
  'oF2i3acG5m6cF5m9oG5m6cFb3h5oC6hc0B43toG|EST5EDT,M3.2.0,M11.1.0;America/Inuvik|0 -00,-28800 PST,-' +
  '25200 PDT,-21600 MDT,-25200 MST,-21600 CST|-5bmw0B61vsoC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC' +
  '5tycB5ehoC5tycB5m9oC5m6cB5m9oD5m4oE5m9oD5m6cE5m9oD5m6cE5m9oD5tycE5ehoD5tycE5m9oD5m6cE5m9oD5m6cE5' +
  'm9oD5m6cE4yxoD69icE4yxoD6hacE4r5oD6hacE4r5oD6hacE4yxoD69icE4yxoD69icE4yxoD6hacE4r5oD6hacE4r5oD6h' +
  'acE4yxoD69icE4yxoD69icE4yxoD69icE4yxoD6hacE4r5oD6hacE4r5oD6hacE4yxoD69icE4yxoD69icE4yxoD6hacE4r5' +
  'oD6hacE4r5oD6hacE43toD7cecE3w1oD7cecE3w1oD7cecE43toD7cecE3w1oD7cecE3w1oD7cecE3w1oD7cecE3w1oD7cec' +
  'E3w1oD7cecE43toD7cecE3w1oD7cecE3w1oD7cecE3w1oD7cecE3w1oD7cecE43toD7cecE3w1oD7cecE3w1oD7cecE3w1oD' +
  '7cecE3w1oD7cecE3w1oD7cecF|CST6;America/Iqaluit America/Pangnirtung|0 -00,-14400 EWT,-14400 EPT,-' +
  '18000 EST,-14400 EDT,-21600 CST,-18000 CDT|-8l3s0By9acC1ffoD8bntoE5m6cD5m9oE5m6cD5m9oE5m6cD5m9oE' +
  '5m6cD5m9oE5tycD5ehoE5tycD5m9oE5m6cD5m9oE5m6cD5m9oE5m6cD5m9oE5m6cD5m9oE5tycD5ehoE5tycD5m9oE5m6cD5' +
  'm9oE5m6cD5m9oE5m6cD4yxoE69icD4yxoE6hacD4r5oE6hacD4r5oE6hacD4yxoE69icD4yxoE69icD4yxoE6hacD4r5oE6h' +
  'acD4r5oE6hacD4yxoE69icD4yxoE69icD4yxoE69icD4yxoE6hacF4r7cG6hacD4r40E6hacD4yxoE69icD4yxoE69icD4yx' +
  'oE6hacD4r5oE6hacD4r5oE6hacD43toE|EST5EDT,M3.2.0,M11.1.0;America/Jamaica Jamaica|-18430 LMT,-1843' +
  '0 KMT,-18000 EST,-14400 EDT|.-15r0v42B6wx40C.wbl182D92mcC3o9oD7k6cC5m9oD5tycC5ehoD5tycC5m9oD5m6c' +
  'C5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC5m9oD5tycC5ehoD5tycC|EST5;America/Juneau|54139 LMT,-32261 LMT,-28' +
  '800 PST,-25200 PWT,-25200 PPT,-25200 PDT,-28800 YDT,-32400 YST,-32400 AKST,-28800 AKDT|.-1hc7qjz' +
  'B.h4yu44C.ln707vD13l1oE1fkoC7dqpoF5m6cC5m9oF5m6cC5m9oF5tycC5m9oF5m6cC5m9oF5m6cC25toF92mcC3o9oF7k' +
  '6cC5m9oF5tycC5ehoF5tycC5m9oF5m6cC5m9oF5m6cC5m9oG5m80C5m80F5m6cC5m9oF5tycC5ehoF5tycHyg0I4nvcJ5m6c' +
  'I5m9oJ5m6cI5m9oJ5m6cI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4r5oJ' +
  '6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4yxoJ69icI4yxoJ6hacI4r5oJ6hacI4r5oJ6hacI4yxoJ69icI4yxoJ69icI4' +
  'yxoJ6hacI4r5oJ6hacI4r5oJ6hacI43toJ|AKST9AKDT,M3.2.0,M11.1.0;America/Kentucky/Louisville America/' +
  'Louisville|-20582 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qyt60Ba' +
  'rd3cC6hacB4r5oC6hacBh2hoC3smcB65jloC4r2cB44xoD13l50E1fhcB6hadC12xnB182poC4jacB6p5oC4r2cB6hdoC4r2' +
  'cB6hdoC4r2cB6hdoC4r2cB6hdoC4r2cB6p5oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC2lacF249k' +
  '0G5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5tycF5m9oG5m6cF5m9oG5m6cF25toC92o0F3o80G7k6cF5m9oG5tycF5ehoG5tyc' +
  'F5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF5m9oG5tycF5ehoG5tycF5m9oG5m6cF5m9oG5m6cF5m9oG5m6cF4yxoG' +
  '69icF4yxoG6hacF4r5oG6hacF4r5oG6hacF4yxoG69icF4yxoG69icF4yxoG6hacF4r5oG6hacF4r5oG6hacF4yxoG69icF4' +
  'yxoG69icF4yxoG69icF4yxoG6hacF4r5oG6hacF4r5oG6hacF4yxoG69icF4yxoG69icF4yxoG6hacF4r5oG6hacF4r5oG6h' +
  'acF43toG|EST5EDT,M3.2.0,M11.1.0;America/Kentucky/Monticello|-20364 LMT,-21600 CST,-18000 CDT,-18' +
  '000 CWT,-18000 CPT,-18000 EST,-14400 EDT|-qyt60Bard3cC6hacB4r5oC6hacB6zapoD13l50E1fhcB72i9oC5m6c' +
  'B5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC5m6cB5m9oC5m6cB25toC92mcB3o9oC7k6cB5m9oC5tycB5ehoC5tycB5m9oC' +
  '5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4' +
  'yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69' +
  'icB4yxoC69icB4yxoC6hacB4r5oC6hacF4r40G6hacF4yxoG69icF4yxoG69icF4yxoG6hacF4r5oG6hacF4r5oG6hacF43t' +
  'oG|EST5EDT,M3.2.0,M11.1.0;America/La_Paz|-16356 LMT,-16356 CMT,-12756 BST,-14400 -04|.-15r0wpoBd' +
  '30o0C4vicD|<-04>4;America/Lima|-18492 LMT,-18516 LMT,-18000 -05,-14400 -04|.-15r0v2cB.9ov9coC.fc' +
  'xjloD2rycC5gpoD5m6cC5m9oD5m6cCec0poD2rycC8hloD2rycCv1toD2rycC16bdoD2rycC|<-05>5;America/Los_Ange' +
  'les US/Pacific|-28378 LMT,-28800 PST,-25200 PDT,-25200 PWT,-25200 PPT|-qyt2oBard3cC6hacB4r5oC6ha' +
  'cB6zapoD13l1oE1fkoBrnlpC91ibBexs0C4jc0B6p40C4r40B6hc0C4r40B6hc0C4r40B6hc0C4r40B6hc0C4r40B6p40C4r' +
  '40B6hc0C4r40B6hc0C4r40B6hc0C4r40B6hc0C4r40B6p40C4jc0B6p40C5m80B5m80C5m80B5m80C5m80B5m80C5u00B5eg' +
  '0C5u00B5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5m9oC5m6cB5m9oC5m6cB25toC92mcB3o9oC7k6c' +
  'B5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC' +
  '5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4' +
  'r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6h' +
  'acB4r5oC6hacB4r5oC6hacB43toC|PST8PDT,M3.2.0,M11.1.0;America/Maceio|-8572 LMT,-10800 -03,-7200 -0' +
  '2|.-t85ldwB.99kaxwC5kk0B5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB' +
  '7k9oC2rycB7k9oC3pacB7k9oC3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB7s1oC38mcB7ztoC3o6cB1ry9oC3o6cB151t' +
  'oC4jacB6wxoCficBb0poC3vycB|<-03>3;America/Managua|-20708 LMT,-20712 MMT,-21600 CST,-18000 EST,-1' +
  '8000 CDT|.-15r0tcsB.n7jmo4C.ka1i0oDk8ucC1a0poE31ycC86hoE31ycC3lwwcD88foC321oD193acC2l8poE5eecC6h' +
  'h0E4r0oC|CST6;America/Manaus Brazil/West|-14404 LMT,-14400 -04,-10800 -03|.-t85gvwB.99k97wC5kk0B' +
  '5ploC5jycB57whoC4740B72g0C3qecB7j5oC3ricB7j5oC2rycB3dg9oC2k6cBaddoC1ticB7k9oC2rycB7k9oC3pacB7k9o' +
  'C3qecB5j89oC43qcB6wxoC3gecB7t5oC38mcB1s61oC3vycB|<-04>4;America/Martinique|-14660 LMT,-14660 FFM' +
  'T,-14400 AST,-10800 ADT|.-15r0y0sB6oeg0C.zz5x4sD5eecC|AST4;America/Matamoros|-23400 LMT,-21600 C' +
  'ST,-18000 CDT|-f13q0BkqvvcC6hacB2bttoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB5u1oC4jacB5u1' +
  'oC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB|CST6CDT,M3.2.0,M11' +
  '.1.0;America/Mazatlan Mexico/BajaSur|-25540 LMT,-25200 MST,-21600 CST,-21600 MDT|-f13ocB1pao0C12' +
  'pacB54hoD4r2cB5ndoC35facBgw8t0D69icB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB5u1oD4jacB5u1oD69icB' +
  '4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6' +
  'hacB4yxoD69icB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4yxoD6hacB4r' +
  '5oD6hacB|MST7;America/Menominee|-21027 LMT,-21600 CST,-18000 CDT,-18000 CWT,-18000 CPT,-18000 ES' +
  'T|.-17zjvrxB.gz53bxC6hacB4r5oC6hacB6zapoD13l50E1fhcB6hdoC4r2cB64l5oC5tycBs35oF195icC5m80B25toC92' +
  'mcB3o9oC7k6cB5m9oC5tycB5ehoC5tycB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5m6cB5m9oC5tycB5ehoC5tycB5m9' +
  'oC5m6cB5m9oC5m6cB5m9oC5m6cB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC6hac' +
  'B4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC69icB4yxoC69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB4yxoC69icB4yxoC' +
  '69icB4yxoC6hacB4r5oC6hacB4r5oC6hacB43toC|CST6CDT,M3.2.0,M11.1.0;America/Merida|-21508 LMT,-21600' +
  ' CST,-18000 EST,-18000 CDT|-f13q0Bis7fcC9licB47e1oD69icB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB' +
  '5u1oD4jacB5u1oD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4yxoD6' +
  'hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4yxoD69icB4yxoD69icB4yxoD6hacB4r5oD6hacB4r5oD6hacB4yxoD69icB4y' +
  'xoD69icB4yxoD6hacB4r5oD6hacB|CST6;America/Metlakatla|54822 LMT,-31578 LMT,-28800 PST,-25200 PWT,' +
  '-25200 PPT,-25200 PDT,-32400 AKST,-28800 AKDT|.-1hc7qjzB.h4ytl5C.ln70quD13l1oE1fkoC7dqpoF5m6cC5m' +
  '9oF5m6cC5m9oF5tycC5m9oF5m6cC5m9oF5m6cC25toF92mcC3o9oF7k6cC5m9oF5tycC5ehoF5tycC5m9oF5m6cC5m9oF5m6' +
  'cC5m9oF5m6cC5m9oF5m6cC5m9oF5tycC5ehoF5tycCa0sxoG43toH7cecG3w1oH7cecG3w1oH7cecC2dk0G|AKST9AKDT,M3' +
  '.2.0,M11.1.0;America/Mexico_City Mexico/General|-23796 LMT,-25200 MST,-21600 CST,-21600 MDT,-180' +
  '00 CDT,-18000 CWT|-f13ocB1pao0C12pacB54hoD4r2cB5ndoC256ucE4bicCgg9oE3hicCuixoF486cC1t7toE56mcCeb' +
  '2d0E69icC4yxoE69icC4yxoE69icC4yxoE6hacC4r5oE6hacC5u1oE4jacC5u1oE69icC4yxoE69icC4yxoE6hacC4r5oE6h' +
  'acC4r5oE6hacC4r5oE6hacC4yxoE69icC4yxoE69icC4yxoE6hacC4r5oE6hacC4r5oE6hacC4yxoE69icC4yxoE69icC4yx' +
  'oE69icC4yxoE6hacC4r5oE6hacC4r5oE6hacC4yxoE69icC4yxoE69icC4yxoE6hacC4r5oE6hacC|CST6;America/Mique' +
  'lon|-13480 LMT,-14400 AST,-10800 -03,-7200 -02|.-uk1k9kB.zy4wpkC2635oD69icC4yxoD6hacC4r5oD6hacC4' +
  'r5oD6hacC4yxoD69icC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD69icC4yxoD69icC4yxoD6h' +
  'acC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC43toD|<-03>3<-02>,M3.2.' +
  '0,M11.1.0;America/Moncton|-15548 LMT,-18000 EST,-14400 AST,-10800 ADT,-10800 AWT,-10800 APT|.-18' +
  'wys04B.9nu9w4C4yghoD61qcC4kug0D2t2cC8fdoD2t2cC8fdoD2t2cC8fdoD2t2cC8fdoD2t2cC8fdoD2t2cC86hoD3o6cC' +
  '7dloD3uucC6y1oD4i6cC463cE13l8cF1fe0C6hdoD4r2cC6hdoD4r2cC6hdoD4r2cC6hdoD4r2cC6p5oD4jacC6p5oD4r2cC' +
  '6hdoD4r2cC6hdoD4r2cC6hdoD4r2cC6hdoD4r2cC6p5oD4r2cC6hdoD5m6cC5m9oD5m6cC5m9oD5m6cC5m9oD5tycC5m9oD5' +
  'm6cC5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC5m9oD5tycC5ehoD5tycC5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC5m' +
  '9oD5tycC5m9oD5m6cCgupoD5m6cC5m9oD5m6cC5m9oD5tycC5ehoD5tycC5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC5m9oD5m6' +
  'cC5m9oD5tycC5ehoD5tycC5m9oD5m6cC5m9oD5m6cC5m9oD5m6cC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC4yxo' +
  'D69icC4yxoD69icC4yudD6hacC4r5oD6hacC4r5oD6hacC4yxoD69icC4yxoD69icC4yxoD69icC4yxoD6hacC4r5oD6hacC' +
  '4r5oD6hacC4yxoD69icC4yxoD69icC4yxoD6hacC4r5oD6hacC4r5oD6hacC|AST4ADT,M3.2.0,M11.1.0';
